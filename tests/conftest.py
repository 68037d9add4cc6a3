"""Hypothesis as these tests use it: the same examples each time, no clock, nothing written."""

from hypothesis import settings

settings.register_profile("askless", deadline=None, database=None, derandomize=True)
settings.load_profile("askless")
