"""The lower bounds of pyproject.toml are those that `make compatibility` tries."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]


def test_oldest_versions_are_the_lower_bounds():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(r for n in extras if n not in ("lint", "docs")
                                          for r in extras[n])]  # fmt: skip
    bounds = {
        r.name: Version(spec.version)
        for r in map(Requirement, wanted)
        if r.marker is None or r.marker.evaluate({"sys_platform": "linux"})
        for spec in r.specifier
        if spec.operator == ">="
    }
    lines = (ROOT / "tests/oldest.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert {name: Version(pin) for name, pin in pins.items()} == bounds
