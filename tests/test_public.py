from __future__ import annotations

import difflib

import public

import gensim_bilbowa


def test_public_names_and_their_parameters_are_those_of_the_list():
    known = public.LIST.read_text("utf-8").splitlines()
    lines = difflib.unified_diff(known, public.lines(), "known", "now", n=0, lineterm="")
    changes = "\n".join(lines)
    assert not changes, f"{changes}\nIf it is meant so: python tests/support/public.py"


def test_names_of_the_package_stand_in_the_reference():
    listed = {line.partition("(")[0] for line in public.lines()}
    assert {f"gensim_bilbowa.{name}" for name in gensim_bilbowa.__all__} <= listed
