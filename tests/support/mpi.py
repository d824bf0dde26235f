"""Programs of several ranks, where there is an MPI to start them."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

__all__ = ["command", "environment", "needs_mpi", "ranks"]

_SUPPORT = str(Path(__file__).parent)
# Open MPI's: several ranks on a machine with few cores, and as root in a container.
_OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def environment():
    path = os.pathsep.join(filter(None, [_SUPPORT, os.environ.get("PYTHONPATH")]))
    # Ranks share the cores: threads of OpenBLAS that wait busily would keep each other waiting.
    return {**os.environ, **_OPEN_MPI, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}


def _mpiexec():
    return shutil.which("mpiexec", path=sysconfig.get_path("scripts")) or shutil.which("mpiexec")


def command(size, *arguments):
    return [_mpiexec(), "-n", str(size), *map(str, arguments)]


@functools.cache
def _missing():
    """Say why no ranks can be started, or return None."""
    if _mpiexec() is None:
        return "no MPI here (pip install mpich)"
    found = subprocess.run(
        command(2, sys.executable, "-c", "from mpi4py import MPI; print(MPI.COMM_WORLD.size)"),
        env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    fine = "".join(found.stdout.split()) == "22"  # lines may have run into each other
    return None if fine else f"MPI does not work here: {(found.stderr or found.stdout)[-200:]!r}"


def needs_mpi():
    """Skip a test where no MPI can be had."""
    if reason := _missing():
        pytest.skip(reason)


def ranks(size, program, *arguments, **options):
    """Run a program's ranks to their end."""
    return subprocess.run(
        command(size, sys.executable, "-P", "-c", program, *arguments), env=environment(),
        capture_output=True, text=True, check=False, **options,
    )  # fmt: skip
