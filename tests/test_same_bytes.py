"""The same agents have the same verdicts, to the byte: under load, any hash seed, one job and sixteen."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from zookeeper import ZOO, animals

ROOT = ZOO.parent.parent
CHOSEN = {
    "asks_each_customer_in_a_thread",
    "loops_without_requests",
    "recurses_without_end",
    "sends_eight_bad_requests_at_once",
}


def verdicts(agents: list[str], seed: int, jobs: int) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.verdicts", str(jobs), *agents],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def test_verdicts_are_the_same_bytes_whatever_the_seed_the_jobs_and_the_load(tmp_path: Path):
    agents = [str(animal.settle(tmp_path)) for animal in animals() if animal.name in CHOSEN]
    assert len(agents) == len(CHOSEN)
    with ThreadPoolExecutor(2) as pool:
        calm = list(pool.map(lambda seed: verdicts(agents, seed, 16 if seed % 2 else 1), range(10)))
    with busy_loops(8):
        calm.append(verdicts(agents, 0, 16))
    assert len(set(calm)) == 1
    told = [json.loads(line) for line in calm[0].splitlines()]
    assert {verdict["verdict"] for verdict in told} == {"missed", "crashed", "timed_out"}
    assert [verdict["measured"] for verdict in told if verdict["verdict"] == "timed_out"] == [{}]
