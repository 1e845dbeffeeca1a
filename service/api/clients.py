"""Who is asking: the address of a client, also from behind proxies that the settings trust."""

from collections.abc import Sequence
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from starlette.datastructures import Headers
from starlette.types import Scope

from service.settings import Network

Address: TypeAlias = str

NOBODY: Final = "unknown"
"""The address of a client that has none, as on a Unix socket."""
PREFIX: Final = 64
"""How much of an IPv6 address tells clients apart: the rest any of them can choose."""


def client_address(scope: Scope, trusted: Sequence[Network]) -> Address:
    """The address of whoever sent a request, an IPv6 one as its network of 64 bits.

    As long as the sender is a trusted proxy, the last entry of ``X-Forwarded-For`` that is not used
    yet is believed. What others write there is theirs to invent, and not looked at.
    """
    client = scope.get("client")
    sender = client[0] if client else NOBODY
    if trusted:
        hops = ",".join(Headers(scope=scope).getlist("x-forwarded-for")).split(",")
        while hops and _is_trusted(sender, trusted) and (said := _address(hops.pop())):
            sender = said
    return _told_apart(sender)


def _address(text: str) -> str | None:
    """What a proxy says of its client, without the port that some of them add; None for nothing."""
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        return str(ip_address(bare))
    except ValueError:
        return None


def _is_trusted(sender: Address, trusted: Sequence[Network]) -> bool:
    try:
        address = ip_address(sender)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return any(address in network for network in trusted)


def _told_apart(sender: Address) -> Address:
    try:
        address = ip_address(sender)
    except ValueError:
        return sender
    if not isinstance(address, IPv6Address):
        return sender
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    network = ip_network((int(address), PREFIX), strict=False)
    return str(network) if isinstance(network, IPv6Network) else sender
