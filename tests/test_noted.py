"""A look-up is noted by its name and what it is given; what is not wanted leaves no trace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shop import Shop

from askless.judge.noted import Noted, look_up_of

PEAR = look_up_of("price", {"fruit": "pear"})
JSON = st.recursive(
    st.none() | st.booleans() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


def left(desk: Noted) -> int:
    """What is left when the model ends its turn now."""
    desk.ended("words")
    return desk.left("words")


def test_what_is_looked_up_after_the_model_has_said_it_is_left():
    desk = Noted(Shop(), {PEAR})
    assert left(desk) == 1
    desk.price("pear")
    assert (desk.left("words"), left(desk), desk.left("other words")) == (1, 1, 1)
    desk.ended("the last of several")
    assert (desk.left("the last of several"), desk.left(None)) == (0, 0)


def test_a_look_up_is_the_same_by_place_and_by_name():
    by_place, by_name = Noted(Shop(), {PEAR}), Noted(Shop(), {PEAR})
    assert (by_place.price("pear"), by_name.price(fruit="pear")) == (1.5, 1.5)
    assert by_place.looked_up.keys() == by_name.looked_up.keys() == {PEAR}
    assert (left(by_place), left(by_name)) == (0, 0)


def test_what_was_never_looked_up_is_left():
    desk = Noted(Shop(), {PEAR, look_up_of("price", {"fruit": "plum"})})
    desk.price("pear")
    assert left(desk) == 1


def test_a_look_up_that_finds_nothing_was_made():
    plum = look_up_of("price", {"fruit": "plum"})
    desk = Noted(Shop(), {plum})
    with pytest.raises(KeyError):
        desk.price("plum")
    assert left(desk) == 0


@given(JSON)
def test_a_strangers_look_ups_fill_no_memory(fruit):
    desk = Noted(Shop(), {PEAR})
    with pytest.raises((KeyError, TypeError)):
        desk.price(fruit)
    assert (desk.looked_up, left(desk)) == ({}, 1)


def test_a_look_up_that_is_asked_wrongly_says_so_itself():
    with pytest.raises(TypeError, match="price"):
        Noted(Shop()).price()
    with pytest.raises(TypeError, match="price"):
        Noted(Shop()).price("pear", colour="green")
