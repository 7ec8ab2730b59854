"""Locks after fork: a thread that the child does not have may hold them."""

import os
import threading
import weakref
from typing import Any

_owners: "weakref.WeakSet[Any]" = weakref.WeakSet()


def renew_locks_of(owner: Any) -> None:
    """Gives the owner a new lock, `_lock`, in each child of fork."""
    _owners.add(owner)


def _renew() -> None:
    for owner in list(_owners):
        owner._lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
