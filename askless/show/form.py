"""The form in which a prediction is typed. It lives in the kernel; what was committed is in the progress record."""

from collections import defaultdict
from collections.abc import Callable

from IPython.display import DisplayHandle
from ipywidgets import HTML, Box, Button, Text, VBox

from askless.check.target import WORDS
from askless.errors import Problem
from askless.learn import progressfile
from askless.learn.prediction import MEASURES, Prediction, Unclear, read_number, read_percent
from askless.learn.progress import Progress, Step
from askless.show import html, lesson, revealed
from askless.show.output import replace
from askless.show.reveal import numbers_of
from askless.task import Rung, Task

HOW = "Whole numbers, written as you like: 1200 or 1,200. How sure you are is for yourself: leave it empty if you want."
PREDICT_FIRST = "type your numbers, or choose to see the run without predicting it."
SHOWN = "Revealed below. If the next cell does not show it, as after a reload of the page, run that cell."
LATE = "It is kept, and it does not count: the run was shown before."

# What the cells of a task's rung show now: its reveal, or that they wait for it; and the prediction that counts.
reveals: defaultdict[tuple[str, str], list[DisplayHandle]] = defaultdict(list)
predictions: defaultdict[tuple[str, str], list[DisplayHandle]] = defaultdict(list)


def shown(task: Task, rung: Rung) -> str:
    """The reveal of a rung, once the record says which runs it shows."""
    tells = lesson.tells(task, rung.name)
    kept = progressfile.change(task.learner.parent, lambda before: before.show(*tells))
    return revealed.shown(task, rung, kept)


def _text(name: str, name_em: int, whole_em: int) -> Text:
    """A field that tells its value once it is left: letter by letter, a busy kernel would hear of the click first."""
    style, layout = {"description_width": f"{name_em}em"}, {"width": f"{whole_em}em"}
    return Text(description=name, continuous_update=False, style=style, layout=layout)


class Field:
    """A measure's number and how sure the learner is of it, with a line below for what is unclear."""

    def __init__(self, measure: str) -> None:
        name = WORDS[measure]
        self.measure = measure
        self.number = _text(name, 7, 17)
        self.sure = _text(f"how sure of {name}, in %", 16, 21)
        self.unclear = HTML()
        self.box = VBox([Box([self.number, self.sure], layout={"flex_flow": "row wrap"}), self.unclear])

    def read(self) -> tuple[int, int | None] | None:
        """What was typed, or None after asking again in place."""
        at = self.number
        try:
            number = read_number(self.number.value, self.measure)
            at = self.sure
            found = number, read_percent(self.sure.value)
        except Unclear as unclear:
            self.unclear.value = html.alert(str(unclear))
            at.focus()
            return None
        self.unclear.value = ""
        return found


class Form:
    """The form of one rung's prediction. Its values go to the record; what it shows stands in the cells' outputs."""

    def __init__(self, task: Task, rung: Rung, below: DisplayHandle) -> None:
        self.task, self.rung, self.below = task, rung, below
        self.key = task.name, rung.name
        predictions[self.key].append(below)
        self.fields = {measure: Field(measure) for measure in MEASURES}
        self.said = HTML()
        acts = {
            "Commit": self.commit,
            "Reveal": self.reveal,
            "Show me without predicting": self.show_without,
        }
        buttons = [self._button(name, act) for name, act in acts.items()]
        rows = [field.box for field in self.fields.values()]
        self.box = VBox([HTML(HOW), *rows, Box(buttons, layout={"flex_flow": "row wrap"}), self.said])

    def _button(self, name: str, act: Callable[[], object]) -> Button:
        button = Button(description=name, layout={"width": "auto"})
        button.on_click(lambda _: self._try(act))
        return button

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except Problem as problem:
            self.said.value = html.alert(f"{problem.seen} Next: {problem.next_act}")

    def commit(self) -> None:
        """Store what was typed, if all of it is clear; a reveal that stands already says at once what that changes."""
        if kept := self._store():
            step = kept.rung(self.rung.name)
            self._say(step, f"Committed: {numbers_of(step.predictions[-1])}. {LATE if step.seen else 'Next: Reveal.'}")
            if step.seen and reveals[self.key]:
                self._replace(shown(self.task, self.rung))

    def _store(self) -> Progress | None:
        """The record with what was typed; what stands there already is not stored twice."""
        typed = self._prediction()
        if typed is None:
            return None
        return progressfile.change(self.task.learner.parent, lambda before: before.commit(self.rung.name, typed))

    def _prediction(self) -> Prediction | None:
        """The three numbers; the last unclear one has the keyboard."""
        read = {measure: field.read() for measure, field in reversed(self.fields.items())}
        numbers = {measure: found[0] for measure, found in read.items() if found}
        sure = {measure: found[1] for measure, found in read.items() if found and found[1] is not None}
        return Prediction(**numbers, sure=sure or None) if len(numbers) == len(MEASURES) else None

    def reveal(self) -> None:
        """Commit what was typed, then show the run. Without a prediction nothing is shown."""
        step = progressfile.load(self.task.learner.parent).rung(self.rung.name)
        typed = any(field.number.value.strip() for field in self.fields.values())
        if typed and not self._store():
            return
        if not typed and not step.predictions:
            raise Problem("There is no prediction to compare with.", PREDICT_FIRST)
        self._show()

    def show_without(self) -> None:
        """Show the run to somebody who chose not to predict; the record says so."""
        self._show()

    def _show(self) -> None:
        page = shown(self.task, self.rung)
        self._say(progressfile.load(self.task.learner.parent).rung(self.rung.name), SHOWN)
        self._replace(page)

    def _replace(self, page: str) -> None:
        """Show a reveal in every cell that has one or waits for it, else below the form."""
        for place in reveals[self.key] or [self.below]:
            replace(place, page)

    def _say(self, step: Step, text: str) -> None:
        self.said.value = html.status(text)
        for place in predictions[self.key]:
            replace(place, revealed.committed(self.rung, step))
