"""Launchers that a file of tests starts once, and what uses them: to start one takes seconds."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from refusing import plain_launcher, refusing_launcher, unfiltered_launcher

from askless.judge.process.launcher import launcher
from askless.judge.process.runs import Launcher
from askless.judge.sandbox import Sandbox


class Lent:
    """A launcher that its user cannot close, so that it is there for the next one."""

    def __init__(self, owned: Launcher) -> None:
        self._owned = owned

    def __getattr__(self, name: str) -> Any:
        return getattr(self._owned, name)

    def close(self) -> None:
        """Its owner does."""


@pytest.fixture(scope="module")
def as_it_is() -> Iterator[Launcher]:
    owned = launcher()
    yield Lent(owned)
    owned.close()


def _patched(make: Callable[[Path, pytest.MonkeyPatch], Launcher], folder: Path) -> Iterator[Launcher]:
    with pytest.MonkeyPatch.context() as patch:
        owned = make(folder, patch)
    yield Lent(owned)
    owned.close()


@pytest.fixture(scope="module")
def of_a_plain_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launcher]:
    yield from _patched(plain_launcher, tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def without_namespaces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launcher]:
    yield from _patched(refusing_launcher, tmp_path_factory.mktemp("refused"))


@pytest.fixture(scope="module")
def without_filter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launcher]:
    yield from _patched(unfiltered_launcher, tmp_path_factory.mktemp("unfiltered"))


def _lend(lent: Launcher, monkeypatch: pytest.MonkeyPatch) -> Launcher:
    monkeypatch.setattr("askless.judge.process.launcher.launcher", lambda: lent)
    monkeypatch.setattr("askless.judge.sandbox.launcher", lambda: lent)
    return lent


@pytest.fixture
def started(as_it_is: Launcher, monkeypatch: pytest.MonkeyPatch) -> Launcher:
    """Whatever makes a launcher in this process is lent one that has started."""
    return _lend(as_it_is, monkeypatch)


@pytest.fixture
def plain(of_a_plain_user: Launcher, monkeypatch: pytest.MonkeyPatch) -> Launcher:
    """As `started`, with the rights of a plain user."""
    return _lend(of_a_plain_user, monkeypatch)


@pytest.fixture
def refused(without_namespaces: Launcher, monkeypatch: pytest.MonkeyPatch) -> Launcher:
    """As `started`, where the kernel refuses namespaces."""
    return _lend(without_namespaces, monkeypatch)


@pytest.fixture
def unfiltered(without_filter: Launcher, monkeypatch: pytest.MonkeyPatch) -> Launcher:
    """As `started`, where calls of the system are not filtered."""
    return _lend(without_filter, monkeypatch)


@pytest.fixture
def sandbox(as_it_is: Launcher) -> Iterator[Sandbox]:
    with Sandbox(as_it_is) as made:
        yield made
