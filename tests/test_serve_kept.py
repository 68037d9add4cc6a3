"""What a server keeps of its runs, and whom it lets in."""

from collections.abc import Iterator

import pytest
from serving import Served, serving
from stand_in import first_body


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as made:
        yield made


def test_the_oldest_run_is_dropped_with_a_notice_and_does_not_begin_again_by_itself():
    with serving(kept=2) as small:
        for name in ("one", "two", "three"):
            assert small.post(first_body(), f"/run/{name}").status == 200
        assert [run["name"] for run in small.get("/run").json] == ["three", "two"]
        late = small.post(first_body(), "/run/one")
        assert (late.status, late.json["type"]) == (410, "error")
        assert "dropped" in late.json["error"]["message"]
        assert small.get("/run/one/verdict").status == 410
        assert "Dropped to make room: one." in small.get("/").text
        assert small.ask("PUT", "/run/one").status == 201
        assert small.post(first_body(), "/run/one").status == 200
        assert small.get("/run/two").status == 410


def test_runs_that_hold_too_much_together_are_dropped_the_oldest_first(monkeypatch):
    monkeypatch.setattr("askless.serve.runs.KEPT_BYTES", 100_000)
    with serving() as small:
        for name in ("one", "two", "three"):
            assert small.post({**first_body(), "system": "x" * 40_000}, f"/run/{name}").status == 200
        assert [run["name"] for run in small.get("/run").json] == ["three", "two"]
        assert small.get("/run/one/verdict").status == 410


def test_what_a_run_held_is_given_back_where_it_ends_or_begins_anew(monkeypatch):
    monkeypatch.setattr("askless.serve.runs.KEPT_BYTES", 100_000)
    with serving() as small:
        small.post(first_body(), "/run/old")
        for act in ("PUT", "DELETE", "PUT", "DELETE"):
            assert small.post({**first_body(), "system": "x" * 60_000}, "/run/new").status == 200
            small.ask(act, "/run/new")
        assert small.get("/run/old").status == 200


def test_only_its_own_names_are_answered(served):
    assert served.ask("GET", "/", Host=f"127.0.0.1:{served.port}").status == 200
    evil = ("evil.example", f"evil.example:{served.port}", "127.0.0.1.evil.example", "127.0.0.1:evil")
    for host in (*evil, f"127.0.0.1:{served.port}.evil.example"):
        assert served.ask("GET", "/", Host=host).status == 403


@pytest.mark.parametrize(
    ("site", "status"), [("none", 200), ("same-origin", 200), ("cross-site", 403), ("same-site", 403)]
)
def test_another_sites_page_is_not_answered(served, site, status):
    reply = served.ask("GET", "/run/browsed/question", **{"Sec-Fetch-Site": site})
    assert reply.status == status


def test_look_ups_without_end_are_answered_and_no_longer_noted(served, monkeypatch):
    monkeypatch.setattr("askless.judge.noted.MOST", 3)
    served.ask("PUT", "/run/curious")
    for number in range(6):
        assert served.get(f"/run/curious/desk/orders?customer_id=X{number}").status == 404
    assert served.get("/run/curious").json["looked_up"] == 3
