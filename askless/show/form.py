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
from askless.show import html, revealed
from askless.show.output import replace
from askless.task import Rung, Task

HOW = "Whole numbers, written as you like: 1200 or 1,200. How sure you are is for yourself: leave it empty if you want."
PREDICT_FIRST = "type your numbers, or choose to see the run without predicting it."
SHOWN = "Revealed below. If you see nothing there, run the next cell."

waiting: defaultdict[tuple[str, str], list[DisplayHandle]] = defaultdict(list)  # for a task's rung to be revealed


def shown(task: Task, rung: Rung) -> str:
    """The reveal of a rung, once the record says that it was shown."""
    kept = progressfile.change(task.learner.parent, lambda before: before.show(rung.name))
    return revealed.shown(task, rung, kept.rung(rung.name))


def _text(name: str, name_em: int, whole_em: int) -> Text:
    return Text(description=name, style={"description_width": f"{name_em}em"}, layout={"width": f"{whole_em}em"})


def _with(progress: Progress, rung: str, prediction: Prediction) -> Progress:
    last = progress.counts(rung)
    return progress if last and last.prediction == prediction else progress.commit(rung, prediction)


class Field:
    """A measure's number and how sure the learner is of it, with a line below for what is unclear."""

    def __init__(self, measure: str) -> None:
        name = WORDS[measure]
        self.number = _text(name, 7, 17)
        self.sure = _text(f"how sure of {name}, in %", 16, 21)
        self.unclear = HTML()
        self.box = VBox([Box([self.number, self.sure], layout={"flex_flow": "row wrap"}), self.unclear])

    def read(self) -> tuple[int, int | None] | None:
        """What was typed, or None after asking again in place."""
        at = self.number
        try:
            number = read_number(self.number.value)
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

    def commit(self) -> bool:
        """Store what was typed, if all of it is clear and it is not what counts already."""
        prediction = self._prediction()
        if prediction is None:
            return False
        kept = progressfile.change(self.task.learner.parent, lambda before: _with(before, self.rung.name, prediction))
        self._say(kept.rung(self.rung.name), f"Committed. Its digest is {prediction.digest}. Next: Reveal.")
        return True

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
        if typed and not self.commit():
            return
        if not typed and not step.predictions:
            raise Problem("There is no prediction to compare with.", PREDICT_FIRST)
        self._show()

    def show_without(self) -> None:
        """Show the run to somebody who chose not to predict; the record says so."""
        self._show()

    def _show(self) -> None:
        page = shown(self.task, self.rung)
        step = progressfile.load(self.task.learner.parent).rung(self.rung.name)
        places = waiting[self.task.name, self.rung.name]
        for place in places:
            replace(place, page)
        self._say(step, SHOWN)
        if not places:
            replace(self.below, page)

    def _say(self, step: Step, text: str) -> None:
        self.said.value = html.status(text)
        replace(self.below, revealed.committed(self.rung, step))
