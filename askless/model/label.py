"""What the name of a field says of what stands under it. A run has few names and many fields: each is read once."""

import re
from functools import lru_cache
from typing import NamedTuple

from askless.model.ids import is_identifier
from askless.model.vocabulary import ID_WORDS, Fact, Vocabulary, word_set, words

_digits = re.compile(r"\d+")

_GENERIC_IDS = ID_WORDS | {"name"}
_WRAPPERS = word_set(
    "data result item row record list response value output entry content body payload all detail "
    "edge node element attribute document hit match page"
)
_NAMELESS = _WRAPPERS | _GENERIC_IDS
_LISTED = ID_WORDS | {"list"}
_LOSSES = word_set("missing error invalid failed failure absent nonexistent unresolved unknown")


class Label(NamedTuple):
    """A name, read."""

    name: str
    kind: str | None = None  # whose identifiers stand under it: `order_id`, but not `order_date`
    holds: str | None = None  # the kind that it speaks of first: `parts_by_maker` holds parts
    value: Fact | None = None  # whose value stands under it: `shipping_status`, but not `shipping_address`
    is_id: bool = False  # an identifier stands under it, and it does not say of what
    is_identifier: bool = False  # it is one itself
    is_loss: bool = False  # it says that something is missing or failed
    is_foreign: bool = False  # it names what is none of the task's: what stands under it is no thing of ours


NO_LABEL = Label("")


@lru_cache(maxsize=4096)
def label(vocabulary: Vocabulary, name: str) -> Label:
    """Read a name with a task's words."""
    return _of_form(vocabulary, _digits.sub("0", name))._replace(name=name, is_identifier=is_identifier(name))


@lru_cache(maxsize=4096)
def _of_form(vocabulary: Vocabulary, form: str) -> Label:
    """Read a name whose digits are all the same: it has the same words, and one form stands for ten thousand names."""
    spoken, kinds = frozenset(words(form)), vocabulary.kinds_in(form)
    holds, others = next(iter(kinds), None), spoken.difference(vocabulary.kind_by_word, vocabulary.qualifiers)
    return Label(
        form,
        kind=holds if others <= _LISTED else None,
        holds=holds,
        value=next((fact for fact in vocabulary.facts if not fact.lists and others and others <= fact.words), None),
        is_id=bool(spoken) and spoken <= _GENERIC_IDS,
        is_loss=bool(spoken & _LOSSES) or {"not", "found"} <= spoken,
        is_foreign=bool(form) and not holds and not spoken - vocabulary.qualifiers <= _NAMELESS,
    )
