"""What a machine stops is found by trying, and said; a judge that must be isolated runs nothing elsewhere."""

import json
import os

import pytest
from shop import HEAD, room

from askless.cli import main
from askless.judge import preflight
from askless.judge.process import isolation
from askless.judge.sandbox import Sandbox

REFUSED = isolation.refusal()
here = pytest.mark.skipif(REFUSED is not None, reason=f"runs are not isolated here: {REFUSED}")


@here
@pytest.mark.usefixtures("started")
def test_a_machine_that_isolates_runs_stops_it_all(capsys):
    assert main(["preflight", "--json"]) == 0
    layers = [{"name": name, "stops": stops, "missing": None} for name, stops in preflight.STOPS.items()]
    assert json.loads(capsys.readouterr().out) == {"schema": "askless.preflight/1", "layers": layers}


def test_what_is_missing_is_said_with_the_kernels_own_reason_and_an_act(capsys, refused):
    assert main(["preflight"]) == 1
    *lines, _, _, act = capsys.readouterr().out.splitlines()
    missing = {line[:16].rstrip(): line.partition("no: ")[2] for line in lines if "no: " in line}
    apart = dict.fromkeys(("files", "network", "other processes"), "unshare: Operation not permitted")
    root = {"processes": "root may start any number"} if os.getuid() == 0 else {}
    assert (len(lines), missing) == (len(preflight.STOPS), apart | root)
    assert act.startswith("Next: ")


def test_a_sandbox_that_must_be_isolated_runs_nothing_without(refused):
    made = room(HEAD + "    return 'run'\n")
    with Sandbox(isolated=True) as sandbox:
        end = sandbox.run(made)
    assert (end.how, made.started, made.outcome) == ("exposed", False, None)


@pytest.mark.parametrize("lacking", ["refused", "unfiltered"])
def test_practice_that_requires_isolation_grades_nothing_without(own_task, capsys, request, lacking):
    request.getfixturevalue(lacking)
    assert main(["practice", str(own_task), "--require-isolation", "--json"]) == 3
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["verdict"], verdict["measured"]) == ("not_graded", {})
    assert [finding["id"] for finding in verdict["findings"]] == ["not_isolated"]


@here
@pytest.mark.usefixtures("unfiltered")
def test_what_a_filter_would_stop_is_said_where_there_is_none(capsys):
    assert main(["preflight", "--json"]) == 1
    missing = {layer["name"] for layer in json.loads(capsys.readouterr().out)["layers"] if layer["missing"]}
    assert "calls" in missing
    assert missing <= {"calls", "processes"}


@here
@pytest.mark.usefixtures("started")
def test_practice_that_requires_isolation_grades_where_it_is(own_task, capsys):
    assert main(["practice", str(own_task), "--require-isolation", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "missed"


def test_where_runs_are_not_isolated_whoever_judges_anothers_agent_is_told(ask_own, own_task, refused):
    agent = own_task / "learner" / "agent.py"
    assert "not isolated here" in ask_own("practice", "--json", "--agent", agent)[2]
    assert "not isolated here" not in ask_own("practice", "--json")[2]
