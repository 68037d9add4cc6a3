"""The preflight command: what the sandbox of `practice` stops on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import Namespace

    from askless.judge.preflight import Layer

EXPOSED = 1


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "try what the sandbox of practice stops on this machine"
    preflight = commands.add_parser("preflight", help=what, description=f"{what[0].upper()}{what[1:]}.")
    preflight.add_argument("--json", action="store_true", help="print the layers as JSON")
    preflight.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Print the layers; 1 where one of them is missing."""
    from askless.judge import preflight

    layers = preflight.layers()
    missing = [layer for layer in layers if layer.missing]
    if args.json:
        import json

        rows = [{"name": layer.name, "stops": layer.stops, "missing": layer.missing} for layer in layers]
        print(json.dumps({"schema": preflight.SCHEMA, "layers": rows}, indent=2))
    else:
        print("\n".join(map(_line, layers)))
        print(_sum(missing, preflight.mend()))
    return EXPOSED if missing else 0


def _line(layer: Layer) -> str:
    here = f"no: {layer.missing}" if layer.missing else "yes"
    return f"{layer.name.replace('_', ' '):16}{layer.stops:48}{here}"


def _sum(missing: list[Layer], mend: str | None) -> str:
    if not missing:
        return "\nAll of it is stopped here: strangers' agents can be judged."
    words = "\nWhat says no is not stopped here: judge agents of people you trust."
    return f"{words}\nNext: {mend or 'judge strangers on Linux, as a user who may make namespaces.'}"
