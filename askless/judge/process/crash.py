"""A learner's file, loaded; and what it raised, told in its own lines."""

import builtins
import inspect
import linecache
import traceback
from collections.abc import Callable
from importlib.util import decode_source
from types import ModuleType
from typing import Any

CONTRACT = "def answer(client, desk, question: str) -> str"
ANSWER_CHARS = 1_000_000  # a longer answer is not read; ten thousand things in one take a third of it
LONGEST_CHARS = 16_000  # of what is told of a crash

RAISED = {SyntaxError: "syntax_error", SystemExit: "exited", RecursionError: "recursion", MemoryError: "out_of_memory"}
WRONG_FILE = {"syntax_error", "not_utf8", "no_answer", "answer_arguments"}  # no run of it can begin
KINDS = {*RAISED.values(), *WRONG_FILE, "exception"}

BUILTIN: dict[str, type[Exception]] = {
    name: value for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)
}


class WrongFileError(Exception):
    """A file that breaks the contract before anything of it is called."""

    def __init__(self, id: str, what: str, next_act: str, line: int | None = None) -> None:  # noqa: A002
        super().__init__(id, what, next_act, line)


def load(source: bytes, path: str, file: str) -> Callable[..., Any]:
    """The `answer` in a learner's file, known to its learner as `path` and to itself as `file`.

    Raises WrongFileError, or whatever the file itself raises.
    """
    import sys

    text = _text(source, path)
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    module = sys.modules["agent"] = ModuleType("agent")  # dataclasses look their module up
    module.__file__ = file
    exec(compile(text, path, "exec", dont_inherit=True), module.__dict__)
    return _answer(module, path)


def _text(source: bytes, path: str) -> str:
    """A source's text; a byte order mark, CRLF and a coding line are understood."""
    try:
        return _decoded(source)
    except UnicodeDecodeError as error:
        line = source[: error.start].count(b"\n") + 1
        what = f"{path}, line {line}: byte 0x{source[error.start]:02x} is not {error.encoding.upper()}"
        raise WrongFileError("not_utf8", what, "save the file as UTF-8", line) from None


def _decoded(source: bytes) -> str:
    try:
        return decode_source(source)
    except SyntaxError:  # where the first lines are at fault, it does not say at which byte
        source.decode()
        raise


def _answer(module: ModuleType, path: str) -> Callable[..., Any]:
    answer = getattr(module, "answer", None)
    if answer is None:
        raise WrongFileError("no_answer", f"{path} has no function `answer`", f"give it `{CONTRACT}`")
    if not callable(answer):
        what = f"`answer` in {path} is of type {type(answer).__name__}, not a function"
        raise WrongFileError("no_answer", what, f"make it `{CONTRACT}`")
    try:
        inspect.signature(answer).bind("client", "desk", "question")
    except TypeError:
        what = f"`answer` in {path} takes {inspect.signature(answer)}, not (client, desk, question)"
        raise WrongFileError("answer_arguments", what, f"make it `{CONTRACT}`") from None
    except ValueError:
        pass  # a callable whose arguments nobody can tell
    return answer  # type: ignore[no-any-return]


def describe(error: BaseException, path: str) -> dict[str, Any]:
    """What crashed: `{"id", "what", "next", "line"}`, with the learner's lines only; `line` may be None."""
    if isinstance(error, WrongFileError):
        return dict(zip(("id", "what", "next", "line"), error.args, strict=True))
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = frames[-1].lineno if frames else None
    if isinstance(error, SyntaxError) and error.filename == path:
        line = error.lineno
    what = "".join([*traceback.StackSummary.from_list(frames).format(), *_last_words(error)]).rstrip()
    return {"id": _kind(error), "what": capped(what), "next": _mend(error) or _go_to(path, line), "line": line}


def _last_words(error: BaseException) -> list[str]:
    refused = _refusal(error)
    if isinstance(refused.get("message"), str):
        return [f"{type(error).__name__}: {getattr(error, 'status_code', '')} {refused['message']}"]
    try:
        return traceback.format_exception_only(error)
    except BaseException:  # a __str__ that raises
        return [type(error).__name__]


def capped(text: str) -> str:
    """A long text without its middle: a traceback's beginning and its last words are kept."""
    half = LONGEST_CHARS // 2
    return text if len(text) <= LONGEST_CHARS else f"{text[:half]}\n  …\n{text[-half:]}"


def _kind(error: BaseException) -> str:
    return next((kind for known, kind in RAISED.items() if isinstance(error, known)), "exception")


def _go_to(path: str, line: int | None) -> str:
    return f"mend line {line} of {path}" if line else f"mend {path}"


def _mend(error: BaseException) -> str | None:
    """What the refusal of a request says would mend it."""
    details = _refusal(error).get("details")
    mend = details.get("mend") if isinstance(details, dict) else None
    return mend if isinstance(mend, str) else None


def _refusal(error: BaseException) -> dict[str, Any]:
    """The API's error within the SDK's; of any other error, nothing."""
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    return inner if isinstance(inner, dict) else {}
