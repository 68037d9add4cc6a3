"""The solution of rung 4 with one thing changed: near misses that fail some scenarios, and ways that reach all."""

from pathlib import Path

from askless import task

TASK = task.load(Path(__file__).parent.name)

# What is done wrong: where in the solution, with what in its place, and which scenarios that fails.
MISSES = {
    "a missing status is taken for a missing customer": (
        "except (LookupError, OSError):",
        "except OSError:",
        {"status-missing"},
    ),
    "a desk that is down is told as a customer that does not exist": (
        'return {"error": "the order system is down"}',
        'return "not found"',
        {"stays-down"},
    ),
    "failed requests are not tried again": (
        "= MODEL, MAX_TOKENS",
        "= MODEL, MAX_TOKENS\n    client = client.with_options(max_retries=0)",
        {"rate-limited", "overloaded-twice", "connection-dropped", "stream-cut"},
    ),
    "failed requests are tried again once": (
        "= MODEL, MAX_TOKENS",
        "= MODEL, MAX_TOKENS\n    client = client.with_options(max_retries=1)",
        {"overloaded-twice"},
    ),
    "what came of a stream is taken for the whole": (
        "reply = client.messages.create(model=model, max_tokens=limit, messages=messages, tools=TOOLS)",
        "asked = {'model': model, 'max_tokens': limit, 'messages': messages, 'tools': TOOLS}\n"
        "        if len(question) > 1000:  # nobody reads along at night\n"
        "            reply = client.messages.create(**asked)\n"
        "        else:\n"
        "            with client.messages.stream(**asked) as stream:\n"
        "                reply = stream.get_final_message()\n"
        "        reply.stop_reason = reply.stop_reason or 'end_turn'",
        {"stream-cut"},
    ),
    "a reply that was cut is taken for an answer": (
        'if reply.stop_reason == "end_turn":',
        'if reply.stop_reason in ("end_turn", "max_tokens"):',
        {"cut-call"},
    ),
    "a refusal is taken for an answer": (
        'if reply.stop_reason == "end_turn":',
        'if reply.stop_reason in ("end_turn", "refusal"):',
        {"refusal"},
    ),
    "a refused reply is kept": (
        "model = FALLBACK",
        "model = FALLBACK\n            messages += [\n"
        "                {'role': 'assistant', 'content': reply.content}, {'role': 'user', 'content': 'Go on.'}\n"
        "            ]",
        {"refusal"},
    ),
    "a call of an unknown tool is left without a result": (
        'block in reply.content if block.type == "tool_use"]',
        'block in reply.content if block.type == "tool_use" and block.name == "get_orders"]',
        {"unknown-tool"},
    ),
    "the input of a call is not checked": (
        "if not isinstance(given, list) or not all(isinstance(each, str) for each in given):",
        "if given is None:",
        {"bad-input"},
    ),
    "all that the desk gives is sent on": (".splitlines()[0]", "", {"large-result", "note"}),
    "every question is one conversation": ("CUSTOMERS = 200", "CUSTOMERS = 1_000_000", {"ten-thousand"}),
    "a look-up that failed is not tried again": ("TRIES = 2", "TRIES = 1", {"timed-out-once"}),
    "a reply has room for a few customers": ("MAX_TOKENS = 4096", "MAX_TOKENS = 300", {"forty", "ten-thousand"}),
    "several customers are taken for granted": (
        'question.partition(":")',
        'question.partition(":")\n    _, last = listed.split(" and ")',
        {"one-customer"},
    ),
    "an answer has a line for each name": (
        "        return converse(client, desk, question)",
        "        said = converse(client, desk, question)\n"
        "        assert len(said.splitlines()) == len(re.findall(r'\\bC\\d+\\b', listed))\n"
        "        return said",
        {"same-twice"},
    ),
    "nothing open is told as no customer": (
        "return {customer_id: orders(desk, customer_id) for",
        "return {customer_id: orders(desk, customer_id) or 'not found' for",
        {"no-open-orders", "forty", "ten-thousand"},
    ),
    "a stranger is told as a customer with nothing open": (
        'return "not found"',
        "return {}",
        {scenario.name for scenario in TASK.scenarios()} - {"one-customer", "no-open-orders"},
    ),
}

# What may as well be done otherwise, and the scenario that is about it.
WAYS = {
    "a status that is missing is told as null": ('return "unknown"', "return None", "status-missing"),
    "a status that is missing is told as empty": ('return "unknown"', 'return ""', "status-missing"),
    "a status that is missing is told as an error": ('return "unknown"', 'return {"error": "none"}', "status-missing"),
    "a desk that is down is told in words": (
        'return {"error": "the order system is down"}',
        'return "temporarily unavailable, the order system did not answer"',
        "stays-down",
    ),
}
