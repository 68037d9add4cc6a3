"""What the scripted model does, because Claude is documented or reported to do it, or because a lesson needs it."""

from askless.api.refusal import Rule

BEHAVIOURS: tuple[Rule, ...] = (
    Rule(
        "parallel-by-default",
        what="All calls that depend on nothing unknown come in one reply.",
        source="parallel-measure",
        as_of="2026-08-22",
        certainty="documented",
    ),
    Rule(
        "split-ends-parallel",
        what="Once the results of a parallel reply came back in more than one user message, every later reply holds "
        "one call.",
        source="parallel-split-results",
        as_of="2026-08-22",
        certainty="documented",
    ),
    Rule(
        "choice-obeyed",
        what="tool_choice is obeyed: none gives no call, any and tool at least one, and with "
        "disable_parallel_tool_use never more than one.",
        source="disable-parallel",
        as_of="2026-08-22",
        certainty="documented",
    ),
    Rule(
        "tools-are-read",
        what="A tool is known by its name, description and schema alone; the one that answers most in one call is "
        "used.",
        source="consolidate-tools-docs",
        as_of="2026-08-22",
        certainty="documented",
    ),
    Rule(
        "vague-costs-a-trial",
        what="A tool that does not say what it gives is tried with one item before it is trusted with all.",
        source="eval-metrics",
        as_of="2026-08-22",
        certainty="reported",
    ),
    Rule(
        "errors-are-read",
        what="A result with is_error true has failed, and what its text says to try next is tried once; an error text "
        "without the flag is data.",
        source="is-error-instructive",
        as_of="2026-08-22",
        certainty="documented",
    ),
    Rule(
        "invalid-input",
        what="Without strict an input may not fit its schema; an instructive error mends it in one more round trip, "
        "a bare one takes two or three and ends in an apology.",
        source="invalid-input-retries",
        as_of="2026-08-22",
        certainty="documented",
    ),
    Rule(
        "cut-at-max-tokens",
        what="A reply longer than max_tokens is cut and stops with max_tokens; a call that was cut is incomplete.",
        source="cut-tool-use",
        as_of="2026-08-22",
        certainty="documented",
    ),
    Rule(
        "one-line-each",
        what="The final text has one line for each thing asked about; one that does not exist is told apart from one "
        "whose look-up failed.",
        source="tool-loop-how-it-works",
        as_of="2026-08-22",
        certainty="reported",
    ),
)
