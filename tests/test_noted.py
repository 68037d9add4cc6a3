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


def test_a_look_up_is_the_same_by_place_and_by_name():
    by_place, by_name = Noted(Shop(), {PEAR}), Noted(Shop(), {PEAR})
    assert (by_place.price("pear"), by_name.price(fruit="pear")) == (1.5, 1.5)
    assert by_place.looked_up == by_name.looked_up == {PEAR}
    assert (by_place.left, by_name.left) == (0, 0)


def test_what_was_never_looked_up_is_left():
    desk = Noted(Shop(), {PEAR, look_up_of("price", {"fruit": "plum"})})
    desk.price("pear")
    assert desk.left == 1


def test_a_look_up_that_finds_nothing_was_made():
    plum = look_up_of("price", {"fruit": "plum"})
    desk = Noted(Shop(), {plum})
    with pytest.raises(KeyError):
        desk.price("plum")
    assert desk.left == 0


@given(JSON)
def test_a_strangers_look_ups_fill_no_memory(fruit):
    desk = Noted(Shop(), {PEAR})
    with pytest.raises((KeyError, TypeError)):
        desk.price(fruit)
    assert (desk.looked_up, desk.left) == (set(), 1)


def test_a_look_up_that_is_asked_wrongly_says_so_itself():
    with pytest.raises(TypeError, match="price"):
        Noted(Shop()).price()
    with pytest.raises(TypeError, match="price"):
        Noted(Shop()).price("pear", colour="green")
