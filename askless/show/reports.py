"""A practice run for a build server: JUnit XML, and Markdown for the summary of a step.

What an agent said of itself is spelt out, cut, and fenced off, so that neither reader takes it for markup.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from askless import files
from askless.check.target import Finding
from askless.errors import Problem
from askless.judge.practice import Practice
from askless.judge.production import Production
from askless.judge.verdict import Scenario
from askless.show import production, verdict
from askless.show.verdict import cut, plain

LISTED = 10  # findings
KINDS = {"missed": "failure", "timed_out": "error", "crashed": "error", "not_graded": "error"}


def junit(practice: Practice | Production) -> str:
    """A test suite whose test cases are the scenarios; whatever is not reached is a failure or an error."""
    said = practice.verdict
    kinds = [KINDS.get(scenario.verdict) for scenario in said.scenarios]
    counts = {"tests": len(kinds), "failures": kinds.count("failure"), "errors": kinds.count("error"), "skipped": 0}
    named = {"name": f"askless.{said.task}.{said.rung}", **{name: str(count) for name, count in counts.items()}}
    suites = ET.Element("testsuites")
    suite = ET.SubElement(suites, "testsuite", named)
    for scenario in said.scenarios:
        name = scenario.name if isinstance(practice, Production) else f"{scenario.name} desk"
        case = ET.SubElement(suite, "testcase", classname=named["name"], name=name)
        _add_failure(case, scenario)
    if practice.output:
        ET.SubElement(suite, "system-out").text = plain(cut(practice.output))
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _add_failure(case: ET.Element, scenario: Scenario) -> None:
    if kind := KINDS.get(scenario.verdict):
        first = scenario.findings[0].id if scenario.findings else scenario.verdict
        failure = ET.SubElement(case, kind, type=scenario.verdict, message=first)
        failure.text = "\n\n".join(_told(finding) for finding in scenario.findings[:LISTED])


def _told(finding: Finding) -> str:
    return f"{finding.id}: {plain(cut(finding.what))}\nNext: {plain(cut(finding.next))}"


def summary(practice: Practice | Production) -> str:
    """The verdict, the table, and what was found, as Markdown."""
    return "\n".join(_lines(practice)) + "\n"


def _lines(practice: Practice | Production) -> Iterator[str]:
    said = practice.verdict
    table = production.rows(practice) if isinstance(practice, Production) else verdict.rows(practice)
    yield f"## {said.task}, rung {said.rung}: {said.verdict.replace('_', ' ')}"
    yield ""
    if table:
        heads, *others = table
        rule = ["---:" if any(map(_is_number, column)) else "---" for column in zip(*others, strict=True)]
        lines = [heads, rule, *others]
        yield from (f"| {' | '.join(line)} |" for line in lines)
        yield ""
    for finding in said.findings[:LISTED]:
        yield from _fenced(_told(finding))
    if not said.findings:
        show = production if isinstance(practice, Production) else verdict
        yield f"Next: {show.next_act(practice)}"


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"(at most )?[\d,.]+\*?", cell) is not None


def _fenced(text: str) -> Iterator[str]:
    """A block that its text cannot end."""
    fence = "```"
    while fence in text:
        fence += "`"
    yield from (f"{fence}text", text, fence, "")


def write(practice: Practice | Production, junit_file: str | None, summary_file: str | None) -> None:
    """Write the reports that are wanted: the one whole, the other at the end of what is there."""
    if junit_file:
        files.save(Path(junit_file), junit(practice))
    if summary_file:
        try:
            with open(summary_file, "a", encoding="utf-8") as file:
                file.write(summary(practice))
        except OSError as error:
            seen = f"{summary_file} could not be written: {error.strerror}."
            raise Problem(seen, "name another file, or make room.") from None
