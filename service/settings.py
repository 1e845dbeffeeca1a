"""The settings: one table of environment variables ``GAPS_*``, which help and README draw on."""

from collections.abc import Mapping
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from service.game.variants import VARIANTS

PREFIX: Final = "GAPS_"
NOBODY: Final = "none"
"""What a list says that has nothing in it."""
NO_LIMIT: Final = "off"
"""What the rate limit says where there is none."""
IN_MEMORY: Final = "memory"
"""What the rate limit's store says where each process counts for itself."""

Network: TypeAlias = IPv4Network | IPv6Network
"""An address with how many of its bits count."""


class Redeals(StrEnum):
    """What the document of a live daily says of its redeals."""

    SEALED = "sealed"
    """Commitments alone; an order is handed out when a player's log has come to it."""
    OPEN = "open"
    """Orders and salts from the start."""


class SettingsError(ValueError):
    """A setting that cannot be used: one sentence that names the variable."""


def _split(value: Any) -> Any:
    return [name.strip() for name in value.split(",")] if isinstance(value, str) else value


def _known_variants(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names or not VARIANTS.keys() >= set(names) or len(set(names)) < len(names):
        raise ValueError(f"must name variants once each, with commas: {', '.join(VARIANTS)}")
    return names


def _networks(value: Any) -> Any:
    """``none``, or addresses and networks with commas."""
    if not isinstance(value, str):
        return value
    try:
        return [
            ip_network(name.strip())
            for name in value.split(",")
            if name.strip() not in {"", NOBODY}
        ]
    except ValueError:
        raise ValueError("must be none, or addresses like 10.0.0.1,10.8.0.0/16") from None


def _store_url(url: str) -> str:
    if url != IN_MEMORY and not url.startswith(("redis://", "rediss://")):
        raise ValueError("must be memory, or a URL like redis://host:6379/0")
    return url


def _max_redeals(value: Any) -> Any:
    """``1`` for all variants, or ``1,classic=0`` with exceptions, as a mapping; "" is the rest."""
    if not isinstance(value, str | int):
        return value
    limits: dict[str, int] = {"": 0}
    for part in str(value).split(","):
        name, _, number = part.rpartition("=")
        name, number = name.strip(), number.strip()
        if (name and name not in VARIANTS) or not (number.isascii() and number.isdigit()):
            raise ValueError("must be a number, or be like 1,classic=0 for single variants")
        limits[name] = int(number)
    return limits


def _database_url(url: str) -> str:
    try:
        backend = make_url(url).get_backend_name()
    except ArgumentError:
        backend = ""
    if backend not in {"sqlite", "postgresql"}:
        raise ValueError("must be a URL like sqlite:///gaps.db or postgresql://user@host/name")
    return url


class Settings(BaseSettings):
    """All settings, with their defaults. `load_settings` reads them from the environment."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore")

    database_url: Annotated[str, AfterValidator(_database_url)] = Field(
        default="sqlite:///gaps.db",
        description="Where deals and submissions are kept: SQLite or PostgreSQL.",
    )
    host: str = Field(
        default="127.0.0.1", min_length=1, description="The address the service listens on."
    )
    port: int = Field(default=8000, ge=1, le=65535, description="The port the API listens on.")
    metrics_port: int = Field(
        default=0,
        ge=0,
        le=65535,
        description="The port on which gaps scheduler answers with metrics; 0 for none.",
    )
    variants: Annotated[
        tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(_known_variants)
    ] = Field(default=("classic",), description="The variants that get a daily, with commas.")
    horizon_days: int = Field(
        default=7, ge=1, le=60, description="How many days ahead dailies are prepared."
    )
    stock: int = Field(
        default=14, ge=0, le=10_000, description="How many verified deals a variant keeps in stock."
    )
    redeals: Redeals = Field(
        default=Redeals.SEALED,
        description="What a live daily says of its redeals: sealed (commitments) or open (orders).",
    )
    daily_max_redeals: Annotated[Mapping[str, int], NoDecode, BeforeValidator(_max_redeals)] = (
        Field(
            default={"": 0},
            description="Most redeals a daily's known win may take; 1,classic=0 sets one apart.",
        )
    )
    budget: int = Field(
        default=10_000_000,
        ge=1_000,
        description="How many positions a search for a daily may visit.",
    )
    practice_budget: int = Field(
        default=200_000,
        ge=1_000,
        description="How many positions a search for a numbered deal may visit.",
    )
    search_seconds: float = Field(
        default=30.0,
        gt=0,
        le=86_400,
        description="After how many seconds a search is ended, whatever its budget.",
    )
    search_memory_mb: int = Field(
        default=512, ge=64, description="How many megabytes a search's tables may take."
    )
    search_processes: int = Field(
        default=1, ge=1, le=64, description="How many processes search at the same time."
    )
    rate_limit: Annotated[
        str,
        Field(
            pattern=r"^([1-9][0-9]{0,5}/(second|minute|hour|day)|off)$",
        ),
    ] = Field(
        default="60/minute",
        description="How many POSTs a client may send, like 60/minute or 5/second; off for any.",
    )
    rate_limit_store: Annotated[str, AfterValidator(_store_url)] = Field(
        default=IN_MEMORY,
        description="Where they are counted: memory, by each process alone, or redis://host/0.",
    )
    trusted_proxies: Annotated[tuple[Network, ...], NoDecode, BeforeValidator(_networks)] = Field(
        default=(),
        description="Proxies whose X-Forwarded-For is believed: addresses or networks, or none.",
    )
    cache_seconds: float = Field(
        default=1.0,
        ge=0,
        le=60,
        description="How long an API process gives an answer again; a withdrawal acts as late.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="How much is logged: debug, info, warning or error."
    )
    tick_seconds: float = Field(
        default=60.0, ge=0.1, le=3600, description="How often the jobs look whether there is work."
    )

    def max_redeals(self, variant: str) -> int:
        """The most redeals that the known win of a daily of this variant may take."""
        return self.daily_max_redeals.get(variant, self.daily_max_redeals[""])


class SettingRow(NamedTuple):
    """A setting as help and README show it."""

    name: str
    default: str
    description: str


def settings_table() -> list[SettingRow]:
    """All settings, in order: the variable, its default as one would write it, what it does."""
    return [
        SettingRow(PREFIX + name.upper(), _written(field.default), field.description or "")
        for name, field in Settings.model_fields.items()
    ]


def _written(default: object) -> str:
    if isinstance(default, tuple):
        return ",".join(map(str, default)) or NOBODY
    if isinstance(default, Mapping):
        return str(default[""])
    return f"{default:g}" if isinstance(default, float) else str(default)


def load_settings() -> Settings:
    """The settings as the environment has them.

    Raises `SettingsError` with one sentence about the first that cannot be used.
    """
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = PREFIX + str(first["loc"][0]).upper()
        reason = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{name}: {reason[0].lower()}{reason[1:]}") from None
