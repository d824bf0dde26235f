"""Run tests with the kernels for AArch64 in qemu: ``python emulated.py WHEEL PYTEST-ARGUMENTS``.

Python is Debian's own for that machine, unpacked in build/aarch64 and not installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tools import require

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "aarch64"
SYSTEM = WORK / "root"
PACKAGES = WORK / "site-packages"
TOOLS = {"qemu-aarch64": "qemu-user", "apt-get": "apt", "dpkg-deb": "dpkg"}
# What Debian's Python is made of, its version aside.
PYTHON = ["python{}-minimal", "libpython{}-minimal", "libpython{}-stdlib"]
LIBRARIES = ["libc6", "libgcc-s1", "libstdc++6", "zlib1g", "libexpat1", "libffi8", "libbz2-1.0",
             "liblzma5", "libuuid1"]  # fmt: skip
# They begin a Python in a process of its own, which is no program of this machine.
LEFT_OUT = [
    f"--deselect=tests/test_kernels.py::test_{name}"
    for name in ("environment_forces_a_level", "level_that_the_processor_lacks")
]
# What the tests of kernels import.
NEEDED = ["pytest", "pytest-timeout", "hypothesis", "scikit-learn"]


def main(wheel: str, *arguments: str) -> int:
    """Make everything ready, run pytest, return its exit code."""
    require(TOOLS, "tests for AArch64")
    version = unpack_python()
    ready = PACKAGES / "ready"
    what = [wheel, "--no-deps", "--upgrade"] if ready.exists() else [wheel, *NEEDED]
    tags = ["linux", "manylinux_2_17", "manylinux_2_27", "manylinux_2_28", "manylinux2014"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--target", PACKAGES,
         *(f"--platform={tag}_aarch64" for tag in tags), f"--python-version={version}",
         "--implementation=cp", "--only-binary=:all:", *what],
        check=True,
    )  # fmt: skip
    ready.touch()
    return subprocess.run(
        ["qemu-aarch64", "-L", SYSTEM, SYSTEM / "usr" / "bin" / f"python{version}", "-P",
         "-m", "pytest", "-p", "no:cacheprovider", "-m", "", *LEFT_OUT, *arguments],
        env=os.environ | {"PYTHONPATH": os.fspath(PACKAGES), "OPENBLAS_NUM_THREADS": "1"},
        cwd=ROOT,
    ).returncode  # fmt: skip


def unpack_python() -> str:
    """Unpack Debian's Python for AArch64 if it is not there; return its version."""
    places = [f"-oDir::State::Lists={WORK / 'lists'}", f"-oDir::Cache={WORK / 'cache'}",
              "-oDir::State::status=/dev/null", "-oAPT::Architecture=arm64",
              "-oAPT::Architectures::=arm64", "-oAPT::Sandbox::User=", "-qq"]  # fmt: skip
    if found := [*SYSTEM.glob("usr/bin/python3.*")]:
        return found[0].name.removeprefix("python")
    downloads = WORK / "downloads"
    for folder in (WORK / "lists" / "partial", WORK / "cache" / "archives" / "partial", downloads):
        folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", *places, "update"], check=True)
    shown = subprocess.run(
        ["apt-cache", *places, "show", "python3"], check=True, capture_output=True, text=True
    ).stdout
    version = re.search(r"^Version: (3\.\d+)", shown, re.M)[1]
    names = [name.format(version) for name in PYTHON] + LIBRARIES
    subprocess.run(["apt-get", *places, "download", *names], check=True, cwd=downloads)
    for package in downloads.glob("*.deb"):
        subprocess.run(["dpkg-deb", "--extract", package, SYSTEM], check=True)
    return version


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
