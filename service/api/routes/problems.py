"""What the problems mean: where the type of each of them leads."""

from fastapi import APIRouter, Request, Response

from service.api.answers import fresh, json_answer
from service.api.openapi import answers, cached
from service.api.problems import BY_CODE, Problem, ProblemError
from service.api.route import StrictRoute
from service.api.schemas import ProblemMeaning, ProblemMeanings

router = APIRouter(tags=["reference"], route_class=StrictRoute)


@router.get(
    "/problems",
    operation_id="listProblems",
    summary="All problems",
    response_model=ProblemMeanings,
    responses=cached(answers(stored=False)),
)
async def list_problems(request: Request) -> Response:
    """All problems that this service answers."""
    return json_answer(request, ProblemMeanings(problems=[_meaning(p) for p in Problem]), fresh())


@router.get(
    "/problems/{code}",
    operation_id="getProblem",
    summary="What a problem means",
    response_model=ProblemMeaning,
    responses=cached(answers(Problem.NOT_FOUND, stored=False)),
)
async def get_problem(request: Request, code: str) -> Response:
    """One problem, by its code: the last part of its type."""
    problem = BY_CODE.get(code)
    if problem is None:
        raise ProblemError(Problem.NOT_FOUND, "There is no such problem; /problems lists them.")
    return json_answer(request, _meaning(problem), fresh())


def _meaning(problem: Problem) -> ProblemMeaning:
    return ProblemMeaning(
        type=problem.type,
        code=problem.code,
        status=problem.status,
        title=problem.title,
        meaning=problem.meaning,
    )
