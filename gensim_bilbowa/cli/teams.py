"""Options for a training by several processes, which MPI has started."""

from __future__ import annotations

import os
from typing import Any

import click

from gensim_bilbowa.cli.options import together
from gensim_bilbowa.teams import MPITeam, Team

__all__ = ["mpi_options", "team_of"]

_FLAG = "--mpi"
# Of what mpirun and srun have started: MPICH's, Open MPI's and Slurm's.
_SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS")


mpi_options = together(
    click.option(
        _FLAG, is_flag=True,
        help="Train with all processes that mpirun, mpiexec or srun has started, on one machine or "
        "many: mpirun -n 8 bilbowa train ... --mpi. Needs mpi4py.",
    ),
    click.option(
        "--mpi-merges", type=click.IntRange(1), metavar="N",
        help="With --mpi: how often in the training vectors are merged. By default 20 times for "
        "each process.",
    ),
    click.option(
        "--mpi-bf16", is_flag=True,
        help="With --mpi: send 16 bits of each number, half as many bytes.",
    ),
    click.option(
        "--mpi-owners/--no-mpi-owners", default=None,
        help="With --mpi: whether each language belongs to one process, and only those that "
        "several share are merged. By default where all have enough to do. The log says which.",
    ),
)  # fmt: skip


def team_of(mpi: bool, merges: int | None, bf16: bool, owners: bool | None) -> Team:
    """Return the processes that train; raise UsageError for options that do not go together."""
    if mpi:
        return MPITeam(merges=merges, bf16=bf16, owners=owners)
    given: dict[str, Any] = {"merges": merges, "bf16": bf16 or None, "owners": owners}
    if named := [f"--mpi-{name}" for name, value in given.items() if value is not None]:
        raise click.UsageError(f"{', '.join(named)}: {_FLAG} is wanted, too")
    for name in _SIZES:
        if (size := os.environ.get(name, "1")).isdecimal() and int(size) > 1:
            raise click.UsageError(
                f"this is one of {size} processes ({name}), each of which would train the same and "
                f"write the same file: give {_FLAG}, or start only one"
            )
    return Team()
