"""What the tests of the page to check terms by ask of it."""

from __future__ import annotations

from terms import TERMS

__all__ = ["ALL", "chosen", "heading", "shown", "states", "status"]

ALL = [term.text for term in TERMS]


def shown(tab):
    return tab.texts("#rows .source bdi")


def states(tab):
    return tab.texts("#rows .state .unseen")


def heading(tab):
    return tab.texts("#heading h2")[0]


def status(tab):
    return tab.texts("#status")[0]


def chosen(tab):
    return tab.texts("#candidates .chosen button")
