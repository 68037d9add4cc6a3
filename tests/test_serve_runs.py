"""Runs over HTTP: each with its question, desk, trace and verdict; many at once, and not for ever."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from bodies import page_bodies
from serving import TASK, Desk, Served, serving, work
from stand_in import first_body

from askless.tracefile import lines, read, whole


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as made:
        yield made


def findings(served: Served, run: str, rung: int = 3) -> list[str]:
    return [found["id"] for found in served.get(f"{run}/verdict?rung={rung}").json["findings"]]


def test_a_run_is_asked_the_shown_question_and_has_the_shown_desk(served):
    assert served.get("/run/shown/question").text == TASK.desk().question
    assert served.get("/run/shown/desk").json == {"orders": ["customer_id"], "status": ["order_id"]}
    assert served.get("/run/shown/desk/orders?customer_id=C1").json == ["ord-101", "ord-102"]
    assert served.ask("POST", "/run/shown/desk/status", {"order_id": "ord-101"}).json == "shipped"


@pytest.mark.parametrize(
    ("target", "status", "says"),
    [
        ("orders?customer_id=C4", 404, "'C4' not found"),
        ("orders?customer_id=", 404, "'' not found"),
        ("parcels?customer_id=C1", 404, "'parcels'"),
        ("orders", 400, "orders was given nothing"),
        ("orders?customer=C1", 400, "orders was given customer"),
        ("orders?customer_id=C1&more=1", 400, "orders was given customer_id, more"),
    ],
)
def test_what_the_desk_does_not_have_is_said_with_what_to_do(served, target, status, says):
    reply = served.get(f"/run/asking/desk/{target}")
    assert reply.status == status
    assert says in reply.json["error"]
    assert reply.json["next"]


@pytest.mark.parametrize("body", [b"", b"[1]", b"\xff", b"[" * 100_000])
def test_a_look_up_whose_body_is_no_object_is_refused(served, body):
    assert served.ask("POST", "/run/asking/desk/orders", body).status == 400


def test_a_whole_run_reaches_its_rung_and_the_trace_reads_back(served, tmp_path):
    work(served, "/run/whole")
    verdict = served.get("/run/whole/verdict").json
    assert (verdict["verdict"], verdict["findings"]) == ("reached", [])
    file = tmp_path / "trace.jsonl"
    file.write_bytes(served.get("/run/whole/trace?form=lines").body)
    assert whole(read(file)) == served.get("/run/whole/trace").json
    assert lines(read(file)).encode() == file.read_bytes()


def test_a_trace_is_the_same_whether_it_was_read_on_the_way_or_at_the_end(served):
    first, second, third = page_bodies()
    for body in (first, second, second, first, {**third, "max_tokens": 50}, third):
        for run in ("/run/looked-at", "/run/left-alone"):
            assert served.post(body, run).status == 200
        assert served.get("/run/looked-at").json["round_trips"]
    assert served.get("/run/looked-at/trace").json == served.get("/run/left-alone/trace").json


@pytest.mark.parametrize("seed", ["7", "ünter uns", ""])
def test_a_run_may_name_a_drawn_desk_by_seed(served, seed):
    begun = served.ask("PUT", f"/run/drawn?seed={quote(seed)}")
    assert (begun.status, begun.json["seed"]) == (201, seed)
    assert served.get("/run/drawn/question").text == TASK.desk(seed.encode()).question != TASK.desk().question
    work(served, "/run/drawn")
    verdict = served.get("/run/drawn/verdict").json
    assert (verdict["verdict"], verdict["scenarios"][0]["name"]) == ("reached", "drawn")


def test_the_rung_below_misses_and_the_verdict_says_why_in_words(served):
    work(served, "/run/below", rung=1)
    assert served.get("/run/below/verdict?rung=1").json["verdict"] == "reached"
    assert "one_item_tools" in findings(served, "/run/below")
    words = served.get("/run/below/verdict?rung=v3&form=text")
    assert words.text.startswith("MISSED: rung v3")
    assert "Highest rung met: v1" in words.text
    assert words.headers["content-type"] == "text/plain; charset=utf-8"


def test_a_seed_without_end_is_refused(served):
    assert served.ask("PUT", f"/run/seeded?seed={'s' * 100}").status == 201
    refused = served.ask("PUT", f"/run/seeded?seed={'s' * 101}")
    assert (refused.status, refused.json["next"]) == (400, "take at most 100")


@pytest.mark.parametrize("rung", ["4", "9", "x", ""])
def test_a_rung_without_a_target_has_no_verdict(served, rung):
    served.ask("PUT", "/run/rungs")
    assert served.get(f"/run/rungs/verdict?rung={rung}").status == 404


def test_a_run_that_did_nothing_has_reached_nothing(served):
    served.ask("PUT", "/run/idle")
    assert served.get("/run/idle/verdict").json["verdict"] == "missed"
    assert findings(served, "/run/idle")[:2] == ["no_model_answer", "not_looked_up"]


def test_an_agent_that_never_asked_the_desk_has_not_reached_its_rung(served):
    with served.client("/run/other") as other:
        work(served, "/run/heart", client=other)  # the look-ups go to another run's desk
    assert served.get("/run/other/verdict").json["measured"]["answer_right"] is True
    assert findings(served, "/run/other") == ["not_looked_up"]
    assert served.get("/run/other/verdict").json["verdict"] == "missed"


def test_an_agent_that_asked_the_desk_for_no_more_than_heads_has_not_reached_its_rung(served):
    work(served, "/run/else")
    for look_up in ("orders?customer_id=C1", "orders?customer_id=C2"):
        assert served.ask("HEAD", f"/run/heads/desk/{look_up}").status == 200
    assert served.get("/run/heads").json["looked_up"] == 0


def test_a_conversation_that_began_elsewhere_is_no_whole_run(served):
    work(served, "/run/begun")
    last = served.get("/run/begun/trace").json["round_trips"][-1]["request"]
    desk = Desk(served, "/run/continued")
    for customer_id in ("C1", "C2", "C3"):
        for order_id in desk.orders(customer_id):
            desk.status(order_id)
    with pytest.raises(KeyError):
        desk.orders("C4")
    served.post(last, "/run/continued")
    verdict = served.get("/run/continued/verdict").json
    assert verdict["measured"]["answer_right"] is True
    assert (verdict["verdict"], findings(served, "/run/continued")[0]) == ("missed", "made_up_calls")


def test_a_run_can_begin_again_and_end(served):
    served.post(first_body(), "/run/again")
    assert served.ask("PUT", "/run/again").json["round_trips"] == 0
    assert served.ask("DELETE", "/run/again").status == 200
    assert served.ask("DELETE", "/run/again").status == 404
    for part in ("", "/trace", "/verdict"):
        gone = served.get(f"/run/again{part}")
        assert (gone.status, gone.json["error"]) == (404, "no run 'again' has begun")


@pytest.mark.parametrize(
    "name",
    [
        "a/b",
        "../../etc/passwd",
        "<script>alert(1)</script>",
        "ann & bob",
        "ünïcode",
        "%",
        "?seed=1",
        "...",
        "n" * 100,
        "'\"`",
    ],
)
def test_a_name_may_hold_anything_that_can_be_printed(served, name):
    run = f"/run/{quote(name, safe='')}"
    assert served.post(first_body(), run).status == 200
    assert served.get(run).json["name"] == name
    assert served.get(f"{run}/trace").json["totals"]["round_trips"] == 1
    assert served.get(run).json["base_url"] == run
    assert name in [each["name"] for each in served.get("/run").json]


@pytest.mark.parametrize("part", ["%00", "%0a", "%ff", "%E2%80%AE", "n" * 101, "%1b%5b31m", ".", ".."])
def test_what_no_client_can_ask_for_or_nobody_can_print_is_no_name(served, part):
    assert served.ask("POST", f"/run/{part}/v1/messages", first_body()).status == 400


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/run/ann/nothing", 404),
        ("POST", "/run//v1/messages", 404),
        ("GET", "/run/ann/desk/a/b", 404),
        ("POST", "/", 405),
        ("PUT", "/run", 405),
        ("PATCH", "/run/ann", 405),
        ("POST", "/run/ann/question", 405),
        ("DELETE", "/run/ann/trace", 405),
        ("POST", "/v1/nothing", 404),
        ("GET", "/v1/messages", 404),
        ("GET", "//", 404),
    ],
)
def test_what_is_not_there_is_said_as_json(served, method, target, status):
    reply = served.ask(method, target)
    assert reply.status == status
    assert reply.json
    assert ("allow" in reply.headers) == (status == 405)


def test_fifty_runs_at_once_keep_apart(served):
    names = [f"/run/many-{number}" for number in range(50)]
    seeds = [f"?seed={number}" if number % 2 else "" for number in range(50)]
    with ThreadPoolExecutor(16) as pool, served.client() as client:
        clients = [client.copy(base_url=served.address + name) for name in names]
        list(pool.map(lambda name, seed: served.ask("PUT", name + seed), names, seeds))
        answers = list(pool.map(lambda name, own: work(served, name, 1, own), names, clients))
    verdicts = [served.get(f"{name}/verdict?rung=1").json for name in names]
    assert {verdict["verdict"] for verdict in verdicts} == {"reached"}
    assert len(set(answers)) == 26  # one of all shown desks, one of each drawn desk


def test_a_trace_too_long_for_one_document_is_offered_as_lines(served, monkeypatch):
    monkeypatch.setattr("askless.serve.paths.WHOLE_CHARS", 500)
    served.post(first_body(), "/run/long")
    reply = served.get("/run/long/trace")
    assert (reply.status, reply.json["next"]) == (413, "ask for /trace?form=lines")
    assert json.loads(served.get("/run/long/trace?form=lines").body.splitlines()[0])["totals"]["round_trips"] == 1
