"""Mutants: a module with one small thing wrong, one after another.

A mutant is made on the syntax tree and written as a whole module. Left alone are docstrings,
annotations, and sentences for people (texts of five words or more), which tests read for what
they must name.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

LONGEST = 100
"""Characters of a line that a mutant's name shows; of a longer one the part that changes."""
WORDS_OF_A_SENTENCE = 5

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_CALLED = {"all": "any", "any": "all", "min": "max", "max": "min"}


class Mutant(NamedTuple):
    """A module with one thing changed."""

    path: str
    """The module's file, from the root of the repository."""
    name: str
    """``FUNCTION: `before` -> `after```; with ``#2`` and so on where that says it twice."""
    lines: range
    """The lines of the statement that is changed; of one with a body, its head."""
    everywhere: bool
    """Whether no test alone is known to reach it: it is run while importing, or its module keeps
    results, so that one test's call serves all."""
    source: str
    """The whole module."""


class _Site(NamedTuple):
    """Where a tree is changed: a field of a node, or an item of a list there, and to what."""

    chain: tuple[ast.AST, ...]
    """From the statement down to the node whose field it is."""
    field: str
    item: int | None
    new: ast.AST
    function: str
    everywhere: bool

    def swap(self, new: Any) -> Any:
        """Puts a node there and returns the one that was there."""
        holder = self.chain[-1]
        if self.item is None:
            old = getattr(holder, self.field)
            setattr(holder, self.field, new)
        else:
            items = getattr(holder, self.field)
            old, items[self.item] = items[self.item], new
        return old


def mutants(path: str, text: str) -> list[Mutant]:
    """All mutants of a module, in the order of its lines."""
    tree = ast.parse(text)
    keeps = any(map(_is_kept, ast.walk(tree)))
    found: list[Mutant] = []
    seen: Counter[str] = Counter()
    for site in list(_sites(tree, (), "module", False)):
        plain = [_lines(node) for node in site.chain]
        old = site.swap(site.new)
        ast.fix_missing_locations(tree)
        changed = [_lines(node) for node in site.chain]
        source = ast.unparse(tree)
        site.swap(old)
        shown = [
            pair for pair in map(_change, plain, changed) if max(map(len, pair)) <= LONGEST
        ] or [_change(_lines(old), _lines(site.new))]
        name = f"{site.function}: `{shown[0][0]}` -> `{shown[0][1]}`"
        seen[name] += 1
        if seen[name] > 1:
            name += f" #{seen[name]}"
        lines = _head(old if isinstance(old, ast.stmt) else site.chain[0])
        found.append(Mutant(path, name, lines, site.everywhere or keeps, source + "\n"))
    return found


def _lines(node: ast.AST) -> list[str]:
    return ast.unparse(node).splitlines()


def _change(before: list[str], after: list[str]) -> tuple[str, str]:
    """The first lines that differ."""
    pairs = [(one.strip(), two.strip()) for one, two in zip(before, after, strict=False)]
    return next((pair for pair in pairs if pair[0] != pair[1]), ("x" * (LONGEST + 1), ""))


def _head(statement: ast.AST) -> range:
    assert isinstance(statement, ast.stmt)
    body: list[ast.stmt] = getattr(statement, "body", [])
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    first = min([statement.lineno, *(node.lineno for node in _decorators(statement))])
    return range(first, max(last, statement.lineno) + 1)


def _decorators(node: ast.AST) -> list[ast.expr]:
    found: list[ast.expr] = getattr(node, "decorator_list", [])
    return found


def _sites(
    node: ast.AST, chain: tuple[ast.AST, ...], function: str, inside: bool
) -> Iterator[_Site]:
    """Every place below a node where something can be changed."""
    if isinstance(node, ast.stmt):
        chain = ()
    chain = (*chain, node)
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        function = node.name if function == "module" else f"{function}.{node.name}"
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "type_params"} or _is_alias(node):
            continue
        ran = inside
        if isinstance(node, ast.FunctionDef):
            ran = field == "body"
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _is_docstring(child):
                continue
            for new in _replacements(child):
                yield _Site(chain, field, index, new, function, not ran)
            if not isinstance(child, ast.JoinedStr) or not _is_sentence(child):
                yield from _sites(child, chain, function, ran)
            else:
                for part in child.values:
                    if isinstance(part, ast.FormattedValue):
                        yield from _sites(part, (*chain, child), function, ran)


def _is_alias(node: ast.AST) -> bool:
    return isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_kept(node: ast.AST) -> bool:
    """Whether this is a function whose results are kept, so that one test's call serves all."""
    return any("cache" in ast.unparse(decorator) for decorator in _decorators(node))


def _is_sentence(text: ast.Constant | ast.JoinedStr) -> bool:
    parts = [text] if isinstance(text, ast.Constant) else text.values
    words = [str(part.value) if isinstance(part, ast.Constant) else "word" for part in parts]
    return len("".join(words).split()) >= WORDS_OF_A_SENTENCE


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What a node may be changed to."""
    match node:
        case ast.Compare():
            for i, operator in enumerate(node.ops):
                ops = [*node.ops[:i], _COMPARED[type(operator)](), *node.ops[i + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.BinOp() if type(node.op) in _COMPUTED:
            yield ast.BinOp(node.left, _COMPUTED[type(node.op)](), node.right)
        case ast.AugAssign():
            yield ast.AugAssign(node.target, _COMPUTED[type(node.op)](), node.value)
            yield ast.Assign([node.target], node.value)
        case ast.Constant():
            yield from _other_constants(node)
        case ast.Call(func=ast.Name(id=name)) if name in _CALLED:
            yield ast.Call(ast.Name(_CALLED[name]), node.args, node.keywords)
        case ast.If() | ast.While() if _is_plain(node.test):
            yield type(node)(_not(node.test), node.body, node.orelse)
        case ast.IfExp() if _is_plain(node.test):
            yield ast.IfExp(_not(node.test), node.body, node.orelse)
        case ast.comprehension():
            for i, test in enumerate(node.ifs):
                if _is_plain(test):
                    ifs = [*node.ifs[:i], _not(test), *node.ifs[i + 1 :]]
                    yield ast.comprehension(node.target, node.iter, ifs, node.is_async)
        case ast.Return(value=ast.expr()) if ast.unparse(node) != "return None":
            yield ast.Return(ast.Constant(None))
        case ast.Expr() | ast.Raise() | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            # Without an assignment to a plain name the next line that reads it would just fail.
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _other_constants(node: ast.Constant) -> Iterator[ast.Constant]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value):
            yield ast.Constant(value + 1)
        case str(value) if not _is_sentence(node):
            yield ast.Constant(f"XX{value}XX")
        case bytes(value):
            yield ast.Constant(b"XX" + value + b"XX")


def _is_plain(test: ast.expr) -> bool:
    """Whether no other change turns a condition round."""
    return not isinstance(test, (ast.Compare, ast.BoolOp)) and not (
        isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    )


def _not(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)
