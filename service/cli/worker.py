"""What each of several API processes runs."""

from fastapi import FastAPI

from service.api.app import factory
from service.logs import configure_logs
from service.processes import end_with_parent
from service.settings import load_settings


def application() -> FastAPI:
    """The application of a process that ``gaps serve --workers`` has started."""
    configure_logs(load_settings().log_level)
    end_with_parent()
    return factory()
