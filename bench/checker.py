"""Measures the checker against python-chess: ``python -m bench.checker``.

What a token of a log costs the checker, beside what a move of a real game costs ``push_uci`` of
python-chess, which verifies moves of its game as the checker does. Both in this process, by turns;
medians of its processor time, so that others on the machine count little. Prints a Markdown table.
The deals are those of tests/data/vectors.json; nothing of the service is used. The shorter a log,
the more of the whole call goes into the document: ``--tokens`` takes logs of another length.
"""

import argparse
import json
import platform
import random
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import chess

import checker
from bench.chess_games import GAMES
from checker.document import read_deal
from checker.replay import Replay, judge

VECTORS = Path(__file__).parents[1] / "tests" / "data" / "vectors.json"
LENGTHS = (150, 300)
"""The fewest and the most tokens of a log."""
LOGS = 4
"""Logs of each deal."""
WANTED = 1 / 5
"""Of what a move costs python-chess: a token must cost less."""

Judging: TypeAlias = Callable[[Any, list[str]], object]
Setting: TypeAlias = Callable[[Any], Any]


class Costs(NamedTuple):
    """Microseconds a move, of each round: the whole call, that without a seed, the replay alone."""

    whole: list[float]
    no_seed: list[float]
    replay: list[float]


def grown(deal: dict[str, Any], length: int, chance: random.Random) -> list[str]:
    """A legal log of that many tokens: slides, some undone; redeals and undos where stuck."""
    replay, log = Replay(read_deal(deal)), list[str]()
    back = 0
    while len(log) < length:
        slides = replay.board.legal_slides()
        if back and replay.slides_of_this_round:
            token, back = "undo", back - 1
        elif slides:
            token, back = chance.choice(slides), int(chance.random() < 0.05)
        else:
            token = "redeal"
        if replay.play(token) is None:
            log.append(token)
        else:
            # Stuck or won, and no redeal left: another way from some slides before.
            back = chance.randint(1, 8)
    return log


def logs(
    vectors: list[dict[str, Any]], lengths: tuple[int, int], chance: random.Random
) -> dict[str, list[str]]:
    """Some logs of each deal, by variant: a deal's document and the moves, as JSON."""
    found = defaultdict[str, list[str]](list)
    for vector in vectors:
        deal = vector["deal"]
        for _ in range(LOGS):
            log = grown(deal, chance.randint(*lengths), chance)
            found[deal["variant"]].append(json.dumps([deal, log]))
    return found


def games_in_uci() -> list[str]:
    """The real games as ``push_uci`` takes them, as JSON; each begins from where chess begins."""
    games = []
    for moves in GAMES.values():
        board = chess.Board()
        games.append(json.dumps([None, [board.push_san(move).uci() for move in moves.split()]]))
    return games


def push_all(board: chess.Board, moves: list[str]) -> None:
    """Plays a game of chess."""
    push = board.push_uci
    for move in moves:
        push(move)


def without_seed(deal: dict[str, Any]) -> dict[str, Any]:
    """A document as it is before its seed is open, with the redeals open."""
    return {key: value for key, value in deal.items() if key != "seed"}


def microseconds(judging: Judging, setting: Setting, texts: list[str]) -> float:
    """The processor time that this takes, by moves: each text is read and set up just before."""
    taken, count = 0.0, 0
    for text in texts:
        given, moves = json.loads(text)
        given = setting(given)
        start = time.process_time()
        judging(given, moves)
        taken += time.process_time() - start
        count += len(moves)
    return taken / count * 1e6


def measure(found: dict[str, list[str]], games: list[str], rounds: int) -> dict[str, Costs]:
    """Measures everything by turns; the microseconds of each variant, and of chess under ""."""
    costs = {name: Costs([], [], []) for name in ["", *found]}
    for _ in range(rounds):
        for name, texts in found.items():
            costs[""].whole.append(microseconds(push_all, lambda _: chess.Board(), games))
            costs[name].whole.append(microseconds(checker.verify, lambda deal: deal, texts))
            costs[name].no_seed.append(microseconds(checker.verify, without_seed, texts))
            costs[name].replay.append(microseconds(judge, read_deal, texts))
    return costs


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="how often each is measured")
    parser.add_argument(
        "--tokens", type=int, nargs=2, default=LENGTHS, help="the shortest and the longest log"
    )
    arguments = parser.parse_args()
    found = logs(json.loads(VECTORS.read_text("utf-8")), arguments.tokens, random.Random(1))
    games = games_in_uci()
    costs = measure(found, games, arguments.rounds)
    move = statistics.median(costs.pop("").whole)
    moves = sum(len(json.loads(game)[1]) for game in games)
    print(f"Python {platform.python_version()}, python-chess {chess.__version__}: a move of")
    print(f"{len(games)} real games ({moves} moves) costs push_uci {move:.2f} µs.")
    print(f"A token of a log costs the checker, in µs (wanted: under {WANTED:.0%} of that):\n")
    print("| variant | logs | tokens | redeals | undos | verify | | no seed | | replay alone | |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    total, spent = Counter[str](), [0.0] * 3
    over: list[str] = []
    for name, texts in found.items():
        tokens = Counter(token for text in texts for token in json.loads(text)[1])
        medians = [statistics.median(cost) for cost in costs[name]]
        row(name, len(texts), tokens, medians, move)
        over += [name] * (medians[0] >= WANTED * move)
        total += tokens
        spent = [all_ + tokens.total() * cost for all_, cost in zip(spent, medians, strict=True)]
    every = sum(len(texts) for texts in found.values())
    row("**all**", every, total, [cost / total.total() for cost in spent], move)
    print(f"\nNot under {WANTED:.0%} with the document: {', '.join(over) or 'none'}.")


def row(name: str, logs: int, tokens: Counter[str], costs: list[float], move: float) -> None:
    """Prints a line of the table."""
    cells = [name, logs, tokens.total(), tokens["redeal"], tokens["undo"]]
    cells += [text for cost in costs for text in (f"{cost:.2f}", f"{cost / move:.1%}")]
    print(f"| {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()
