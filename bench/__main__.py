"""Run every family of figures; leave with 1 when one is over its limit."""

import argparse
import json
import sys
from dataclasses import asdict

from bench import cold, growth, judge, live, notebook, page, round_trip, scenarios, server
from bench.figure import Figure

FAMILIES = {
    "round_trip": round_trip.figures,
    "scenarios": scenarios.figures,
    "growth": growth.figures,
    "live": live.figures,
    "cold": cold.figures,
    "judge": judge.figures,
    "notebook": notebook.figures,
    "page": page.figures,
    "server": server.figures,
}


def in_words(figure: Figure) -> str:
    """A figure as a line of the table."""
    verdict = "ok  " if figure.good else "OVER"
    return f"{verdict} {figure.ratio:8.3f}  limit {figure.limit:<5g}  {figure.name}, against {figure.against}"


def main() -> int:
    """The benchmark as a command."""
    parser = argparse.ArgumentParser(prog="bench", description="Speed, as ratios; at or below its limit is good.")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=f"some of {', '.join(FAMILIES)} (all of them)")
    parser.add_argument("--json", action="store_true", help="print a list of name, ratio, limit, against")
    options = parser.parse_args()
    if unknown := set(options.families) - FAMILIES.keys():
        parser.error(f"no family {', '.join(sorted(unknown))}. Next: choose from {', '.join(FAMILIES)}")
    figures = []
    for family in options.families or FAMILIES:
        for figure in FAMILIES[family]():
            figures.append(figure)
            if not options.json:
                print(in_words(figure), flush=True)
    if options.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
    return 0 if all(figure.good for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
