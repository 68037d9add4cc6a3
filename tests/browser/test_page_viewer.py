"""The trace viewer with what a stranger's tools may give back: scripts, ten million characters, text turned around."""

from __future__ import annotations

import ast
import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from askless import cli, tracefile
from askless.api.conversation import Conversation, Request
from askless.record import Exchange, Recorder
from askless.show import viewer
from tests.browser.site import open_page

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page

    from askless.trace import Trace

HOSTILE = [
    "<script>window.hurt = 1</script>",
    "</script><script>window.hurt = 2</script>",
    "<img src=x onerror='window.hurt = 3'>",
    "</pre></details></main><h1>Not ours</h1>",
    "{{ 7 * 7 }} {% raw %} [click](javascript:window.hurt=4)",
    "abc\u202egnp.exe \u2066x\u2069 \u0000 \u001b[31mred\u009b0m",
    "مرحبا بالعالم، هذا نص من اليمين",
    "' ; touch /tmp/hurt ; echo '\nEND_OF_BODY\ntouch hurt",
    "'''\"\"\" \\ \\n \U0001f600 \ud800 ${HOME} `id` $(id)",
    "<!--<script>", "]]>", "&lt;b&gt;",
]  # fmt: skip


def traced(results: list[str], name: str = "look<b>up") -> Trace:
    """A run in which tools gave back these results."""
    tools = [{"name": name, "description": HOSTILE[0], "input_schema": {"type": "object", "properties": {"<i>": {}}}}]
    fields = {"model": "claude-sonnet-5", "max_tokens": 9, "messages": [], "tools": tools, "system": HOSTILE[3]}
    calls = [
        {"type": "tool_use", "id": f"toolu_{at}", "name": name, "input": {"q": text}} for at, text in enumerate(results)
    ]
    answers = [
        {"type": "tool_result", "tool_use_id": f"toolu_{at}", "content": text, "is_error": at % 2 == 1}
        for at, text in enumerate(results)
    ]
    said = Conversation([{"role": "user", "content": HOSTILE[2]}])
    recorder = Recorder()
    recorder.record(Exchange(Request(fields, said, 1), 200, {"content": calls, "stop_reason": "tool_use"}))
    said.messages += [{"role": "assistant", "content": calls}, {"role": "user", "content": answers}]
    error = {"error": {"type": "overloaded_error", "message": HOSTILE[1], "details": {"rule": HOSTILE[4]}}}
    recorder.record(Exchange(Request(fields, said, 3), 529, error))
    recorder.record(Exchange(Request(fields, said, 3), 0, {}))
    end = {"content": [{"type": "text", "text": HOSTILE[5]}, 7, "odd"], "stop_reason": "<b>"}
    recorder.record(Exchange(Request(fields, said, 3), 200, end))
    return recorder.trace(task="<task>", rung="<rung>", question=HOSTILE[0], answer=HOSTILE[3])


def shown(context: BrowserContext, folder: Path, text: str) -> Page:
    (folder / "run.html").write_text(text, "utf-8")
    return open_page(context, folder / "run.html")


def test_what_a_run_holds_is_shown_and_never_run(context: BrowserContext, tmp_path: Path) -> None:
    page = shown(context, tmp_path, viewer.one(traced(HOSTILE), HOSTILE[0]))
    page.get_by_role("button", name="Open all").click()
    page.wait_for_timeout(200)
    assert page.evaluate("window.hurt") is None
    assert page.locator("h1").count() == 1
    assert page.locator("img").count() == 0
    words = page.locator("main").text_content() or ""
    for text in HOSTILE[:5] + HOSTILE[9:]:
        assert text in words
    assert "\u202e" not in words
    assert "⌈U+202E⌋gnp.exe" in words
    assert "⌈U+001B⌋[31m" in words
    assert "مرحبا" in words
    assert "49" not in words.split("{{ 7 * 7 }}")[1][:4]


def test_two_such_runs_side_by_side(context: BrowserContext, tmp_path: Path) -> None:
    pair = traced(HOSTILE), traced(HOSTILE[::-1])
    page = shown(context, tmp_path, viewer.two(pair, (HOSTILE[0], "b")))
    assert page.evaluate("window.hurt") is None
    expect(page.get_by_role("heading", name="The first part that differs: request 2")).to_be_visible()
    assert page.locator(".same").count() > 0


def test_ten_million_characters_are_shown_as_fast_as_the_rest(context: BrowserContext, tmp_path: Path) -> None:
    huge = "0123456789abcde\n" * 650_000
    trace = traced([huge, "small"])
    text = viewer.one(trace, "huge")
    assert len(text) < 7 * len(huge), "what is sent again is not written out again"
    page = shown(context, tmp_path, text)
    first = page.locator(".block.result .more summary").first
    expect(first).to_contain_text("more characters")
    page.get_by_role("button", name="Open all").click()
    first.click()
    expect(page.locator(".block.result .chunk").first).to_be_visible()
    page.get_by_label("Find in this run").fill("small")
    expect(page.locator("#found")).to_contain_text("of")


def test_a_text_that_is_full_of_signs_is_written_once_to_read_and_once_to_copy() -> None:
    signs = 'ab <c> "q" ' * 10_000
    assert len(viewer.one(traced(["small", signs]), "run")) < 7.5 * len(signs), "as a call's input and as its result"


def test_search_finds_opens_and_goes_on(context: BrowserContext, tmp_path: Path) -> None:
    page = shown(context, tmp_path, viewer.one(traced(["needle one", "hay", "NEEDLE two"]), "run"))
    page.get_by_role("button", name="Close all").click()
    page.get_by_label("Find in this run").fill("needle")
    expect(page.locator(".hit.here")).to_be_visible()
    total = page.locator(".hit").count()
    assert total >= 4
    expect(page.locator("#found")).to_have_text(f"1 of {total}")
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_have_text(f"2 of {total}")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#found")).to_have_text(f"{total} of {total}")
    page.get_by_label("Find in this run").fill("nowhere at all")
    expect(page.locator("#found")).to_have_text("0 found")


COPIED = "([kind, index]) => askless[kind](askless.bodyOf(askless.bodies('a-request-'), index))"


@pytest.mark.parametrize("index", [0, 1])
def test_a_copied_request_is_the_request_and_does_nothing_else(
    context: BrowserContext, tmp_path: Path, index: int
) -> None:
    trace = traced(HOSTILE)
    page = shown(context, tmp_path, viewer.one(trace, "run"))
    assert json.loads(page.evaluate(COPIED, ["asJson", index])) == trace.body(index)
    assert python_body(page.evaluate(COPIED, ["asPython", index])) == trace.body(index)
    assert json.loads(curl_body(page.evaluate(COPIED, ["asCurl", index]), tmp_path)) == trace.body(index)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.html"]


def python_body(program: str) -> Any:
    """What the program sends; read, not run."""
    tree = ast.parse(program)
    assigned = next(node for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "body")  # type: ignore[attr-defined]
    return ast.literal_eval(assigned.value)


@pytest.mark.parametrize("host", ["", "http://127.0.0.1:8765"])
def test_a_copied_request_goes_where_the_sdk_would_send_it(context: BrowserContext, tmp_path: Path, host: str) -> None:
    page = shown(context, tmp_path, viewer.one(traced(["x"]), "run"))
    expect(page.locator("footer")).to_contain_text("set ANTHROPIC_BASE_URL to the address that it prints")
    sent = curl_body(page.evaluate(COPIED, ["asCurl", 0]), tmp_path, "echo $1", ANTHROPIC_BASE_URL=host)
    assert sent == f"{host or 'https://api.anthropic.com'}/v1/messages\n"


def curl_body(command: str, folder: Path, curl: str = "cat", **variables: str) -> str:
    """What the shell would give to curl."""
    stub = f"curl() {{ {curl}; }}\n"
    done = subprocess.run(
        ["bash", "-c", stub + command],
        cwd=folder,
        capture_output=True,
        check=True,
        env={"ANTHROPIC_API_KEY": "k", "PATH": "/usr/bin:/bin", **variables},
    )
    assert done.stderr == b""
    return done.stdout.decode()


def test_the_copy_button_fills_the_clipboard(context: BrowserContext, tmp_path: Path) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = shown(context, tmp_path, viewer.one(traced(["x"]), "run"))
    page.get_by_role("button", name="Copy as Python").first.click()
    expect(page.locator(".request .tools").first).to_contain_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").startswith("import anthropic")


def test_the_commands_write_one_file_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left, right = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    tracefile.write(traced(["x"]), left)
    tracefile.write(traced(["y"]), right)
    assert cli.main(["trace", str(left), "--html", str(tmp_path / "one.html")]) == 0
    assert cli.main(["diff", str(left), str(right), "--html", str(tmp_path / "two.html")]) == 0
    assert (tmp_path / "one.html").read_text("utf-8") == viewer.one(tracefile.read(left), "a.jsonl")
    assert "Back to the lesson" not in (tmp_path / "one.html").read_text("utf-8")
    assert "a.jsonl and b.jsonl" in (tmp_path / "two.html").read_text("utf-8")
    assert "open it in a browser" in capsys.readouterr().out
