"""v0 at 400 customers through the real SDK, against a lab that parses each whole body."""

import gc
import json
from collections.abc import Iterator
from functools import partial
from statistics import median
from time import process_time
from typing import Any

from askless.client import connect
from askless.growth import uncut
from askless.model.scripted import Scripted
from askless.record import Recorder
from askless.service import Service
from bench import growth
from bench.agents import bare_sdk, order_desk, replies_of, worked
from bench.figure import Figure, fresh, in_turn

CUSTOMERS = 400
ROUNDS = 3


def figures() -> Iterator[Figure]:
    """802 round trips, in a fresh interpreter each time."""
    legs = {"v0 live in the lab": partial(fresh, lab, CUSTOMERS), "v0 live, plain": partial(fresh, plain, CUSTOMERS)}
    ours, theirs = (median(seconds) for seconds in in_turn(ROUNDS, legs).values())
    yield Figure(f"v0 live at {CUSTOMERS} customers", ours / theirs, 0.7, "the SDK's loop, each whole body parsed")


def lab(customers: int) -> float:
    """CPU seconds with the scripted model, counting and recording."""
    return _seconds(customers, connect(Service(uncut(Scripted(order_desk().script()))), Recorder()))


def plain(customers: int) -> float:
    """CPU seconds where the replies are ready and a transport parses what it is sent."""
    replies = replies_of(growth.run(customers))
    gc.collect()
    return _seconds(customers, bare_sdk(replies, json.loads))


def _seconds(customers: int, client: Any) -> float:
    agent, big = worked(0), order_desk().grown(customers)
    start = process_time()
    agent(client, big, big.question)
    return process_time() - start
