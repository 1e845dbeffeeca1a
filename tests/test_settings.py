"""Settings: what the environment says is what is used, and a wrong one is named in a sentence."""

import pytest

from service.settings import Redeals, Settings, SettingsError, load_settings, settings_table


def test_defaults_are_those_of_the_table() -> None:
    settings = load_settings()
    assert settings == Settings()
    assert {row.name for row in settings_table()} == {
        f"GAPS_{name.upper()}" for name in Settings.model_fields
    }
    assert all(row.description.endswith(".") for row in settings_table())


def test_the_table_s_defaults_read_back_as_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in settings_table():
        monkeypatch.setenv(row.name, row.default)
    assert load_settings() == Settings()


def test_everything_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "DATABASE_URL": "postgresql://me@there/gaps",
        "VARIANTS": "classic, red-moon",
        "REDEALS": "open",
        "DAILY_MAX_REDEALS": "1, red-moon=2",
        "PORT": "9000",
        "TRUSTED_PROXIES": "10.0.0.1, fd00::/8",
    }.items():
        monkeypatch.setenv(f"GAPS_{name}", value)
    settings = load_settings()
    assert settings.variants == ("classic", "red-moon")
    assert settings.redeals is Redeals.OPEN
    assert (settings.max_redeals("classic"), settings.max_redeals("red-moon")) == (1, 2)
    assert settings.port == 9000
    assert list(map(str, settings.trusted_proxies)) == ["10.0.0.1/32", "fd00::/8"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GAPS_PORT", "http"),
        ("GAPS_PORT", "0"),
        ("GAPS_PORT", "70000"),
        ("GAPS_HOST", ""),
        ("GAPS_VARIANTS", ""),
        ("GAPS_VARIANTS", "klondike"),
        ("GAPS_VARIANTS", "classic,classic"),
        ("GAPS_DATABASE_URL", "gaps.db"),
        ("GAPS_DATABASE_URL", "mysql://there/gaps"),
        ("GAPS_DAILY_MAX_REDEALS", "few"),
        ("GAPS_DAILY_MAX_REDEALS", "klondike=1"),
        ("GAPS_DAILY_MAX_REDEALS", "-1"),
        ("GAPS_REDEALS", "half"),
        ("GAPS_STOCK", "-1"),
        ("GAPS_TICK_SECONDS", "nan"),
        ("GAPS_SEARCH_SECONDS", "inf"),
        ("GAPS_LOG_LEVEL", "loud"),
        ("GAPS_RATE_LIMIT", "many"),
        ("GAPS_RATE_LIMIT", "0/minute"),
        ("GAPS_RATE_LIMIT", "60/minute; 1/second"),
        ("GAPS_RATE_LIMIT_STORE", "here"),
        ("GAPS_TRUSTED_PROXIES", "proxy.example"),
        ("GAPS_TRUSTED_PROXIES", "10.0.0.1/8"),
    ],
)
def test_a_wrong_setting_is_named_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert str(caught.value).startswith(f"{name}: ")
    assert "\n" not in str(caught.value)
