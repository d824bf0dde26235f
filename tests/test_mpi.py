"""Processes that MPI starts, where there is one: they learn what simulated ranks do, or end."""

from __future__ import annotations

import gzip
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pages
import pytest
from mpi import command, environment, needs_mpi, ranks
from processes import BILBOWA, running
from resuming import OPTIONS, PAIRS, assert_same, three_languages
from samples import made_up_pairs

from gensim_bilbowa import BilBOWA
from gensim_bilbowa.teams import simulate

pytestmark = pytest.mark.slow

# An error of all ranks is rank 0's to show, however long that takes it here.
PRELUDE = """
import sys
import gensim_bilbowa.teams.mpi as mpi
mpi._PATIENCE_SECONDS, mpi._MOST_SECONDS = 60 * {of_all}, 60
from resuming import OPTIONS, PAIRS, three_languages
from gensim_bilbowa import BilBOWA
from gensim_bilbowa.callbacks import Checkpoint
from gensim_bilbowa.teams import MPITeam
team = MPITeam()
"""
ONE, ALL = PRELUDE.format(of_all=0), PRELUDE.format(of_all=1)


@pytest.fixture(autouse=True)
def _mpi():
    needs_mpi()


@pytest.mark.parametrize(("size", "options"), [
    (2, ""), (4, ""), (2, "bf16=True, merges=7"), (2, "owners=True"), (1, ""),
])  # fmt: skip
def test_processes_learn_what_simulated_ranks_do(tmp_path, size, options):
    program = f"""{ALL}
team = MPITeam({options})
texts, pairs = three_languages()
model = BilBOWA(texts, parallel=pairs, team=team, **OPTIONS)
model.save(f"{{sys.argv[1]}}/{{team.rank}}.model")
"""
    result = ranks(size, program, tmp_path)
    assert result.returncode == 0, result.stderr
    texts, pairs = three_languages()
    (expected, *_) = simulate(
        size, lambda team: BilBOWA(texts, parallel=pairs, team=team, **OPTIONS),
        **eval(f"dict({options})"),
    )  # fmt: skip
    for rank in range(size):
        assert_same(BilBOWA.load(tmp_path / f"{rank}.model"), expected)


def test_without_mpirun_a_team_is_of_one(tmp_path):
    program = f"""{ALL}
assert repr(team) == "<MPITeam: rank 0 of 1>"
BilBOWA(parallel=PAIRS, team=team, **OPTIONS).save(sys.argv[1])
"""
    subprocess.run([sys.executable, "-P", "-c", program, str(tmp_path / "m")], check=True,
                   env=environment())  # fmt: skip
    assert_same(BilBOWA.load(tmp_path / "m"), BilBOWA(parallel=PAIRS, **OPTIONS))


def test_encoded_text_is_shared_by_a_cache(tmp_path):
    sides = [[" ".join(pair[side]) + "\n" for pair in made_up_pairs()] for side in (0, 1)]
    for code, lines in zip(("en", "de"), sides, strict=True):
        (tmp_path / code).write_text("".join(lines), encoding="utf-8")
    program = f"""{ALL}
import logging
logging.basicConfig(level=logging.INFO, format="%(message)s")
folder = sys.argv[1]
pairs = {{("en", "de"): (folder + "/en", folder + "/de")}}
BilBOWA(parallel=pairs, team=team, cache_dir=folder + "/cache", **OPTIONS).save(
    f"{{folder}}/{{team.rank}}.model")
"""
    result = ranks(2, program, tmp_path)
    assert result.returncode == 0, result.stderr
    assert len(list((tmp_path / "cache").glob("*.encoded"))) == 2
    assert_same(BilBOWA.load(tmp_path / "0.model"), BilBOWA.load(tmp_path / "1.model"))


def test_the_program_of_the_documentation_runs(tmp_path):
    page = Path(__file__).parents[1] / "docs/guide/machines.md"
    (program,) = [block.code for block in pages.blocks(page) if "MPITeam()" in block.code]
    for code, side in (("en", 0), ("de", 1)):
        lines = [" ".join(pair[side]) + "\n" for pair in made_up_pairs()]
        (tmp_path / f"europarl.{code}.gz").write_bytes(gzip.compress("".join(lines).encode()))
    result = ranks(2, program, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert len(BilBOWA.load(tmp_path / "en-de.model")["en"].wv) == 40
    assert list((tmp_path / "checkpoints").glob("*.model"))


# ---- faults


FAULTS = {
    "of one rank in its text": (
        ONE,
        "def text():\n"
        "    if team.rank == 1: raise ArithmeticError('no such text')\n"
        "    return PAIRS['en', 'de']\n"
        "class Text:\n"
        "    def __iter__(self): return iter(text())\n"
        "BilBOWA(parallel={('en', 'de'): Text()}, team=team, **OPTIONS)\n",
        "no such text",
    ),
    "of all ranks": (
        ALL,
        "BilBOWA(parallel=PAIRS, team=team, **{**OPTIONS, 'alpha': -1})\n",
        "alpha must be",
    ),
    "that is caught": (
        ALL,
        "from gensim_bilbowa.errors import ConfigError\n"
        "try: BilBOWA(parallel=PAIRS, team=team, **{**OPTIONS, 'seed': team.rank})\n"
        "except ConfigError: print('caught')\n"
        "BilBOWA(parallel=PAIRS, team=team, **OPTIONS)\n",
        "the parameter seed of rank",
    ),
    "outside of a training": (
        ONE,
        "if team.rank == 1: raise ArithmeticError('of my own')\n"
        "BilBOWA(parallel=PAIRS, team=team, **OPTIONS)\n",
        "of my own",
    ),
    "of a rank that exits": (
        ONE,
        "if team.rank == 1: sys.exit('no disk here')\n"
        "BilBOWA(parallel=PAIRS, team=team, **OPTIONS)\n",
        "rank 1 of 3 has ended while others wait for it",
    ),
    "of a callback": (
        ALL,
        "class Failing(Checkpoint):\n"
        "    def on_epoch_end(self, model): raise ArithmeticError('of a callback')\n"
        "BilBOWA(parallel=PAIRS, team=team, callbacks=[Failing('c')], **OPTIONS)\n",
        "of a callback",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_error_ends_all_ranks_and_is_shown_once(tmp_path, fault):
    prelude, program, said = FAULTS[fault]
    result = ranks(3, prelude + program + "print('not ended')\n", cwd=tmp_path)
    assert result.returncode != 0
    lines = [line for line in result.stderr.splitlines() if said in line and "raise" not in line]
    assert len([line for line in lines if re.match(r"\w*(\.\w+)*Error: ", line)]) == 1
    assert "not ended" not in result.stdout


def started(size, *arguments):
    return running(
        command(size, *arguments), env=environment(), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


ENDLESS = f"""{ALL}
import os
class Telling(Checkpoint):
    def on_epoch_end(self, model): print("epoch", flush=True)
os.write(1, f"process {{team.rank}} {{os.getpid()}}\\n".encode())
BilBOWA(parallel=PAIRS, team=team, callbacks=[Telling(sys.argv[1])],
        **{{**OPTIONS, "epochs": 10**4}})
"""


@contextmanager
def begun(tmp_path, size):
    """Start an endless training; yield it, with the processes of its ranks."""
    with started(size, sys.executable, "-P", "-c", ENDLESS, tmp_path / "c") as child:
        processes = {}
        for line in child.stdout:
            if line.startswith("process"):
                rank, number = map(int, line.split()[1:])
                processes[rank] = number
            elif len(processes) == size:
                break
        else:
            pytest.fail(child.stderr.read())
        yield child, processes


def assert_gone(processes):
    while True:
        alive = subprocess.run(
            ["ps", "-o", "stat=", "-p", ",".join(map(str, processes))], capture_output=True,
            text=True, check=False,
        ).stdout.split()  # fmt: skip
        if all(state.startswith("Z") for state in alive):
            return
        time.sleep(0.1)


@pytest.mark.parametrize("rank", [0, 1])
def test_a_killed_rank_ends_the_run(tmp_path, rank):
    with begun(tmp_path, 2) as (child, processes):
        subprocess.run(["kill", "-9", str(processes[rank])], check=True)
        child.communicate()
    assert child.returncode != 0
    assert_gone(processes.values())


def test_ctrl_c_ends_all_ranks_and_is_shown_once(tmp_path):
    with begun(tmp_path, 2) as (child, processes):
        child.send_signal(signal.SIGINT)
        _, said = child.communicate()
    assert child.returncode != 0
    assert len(re.findall("^KeyboardInterrupt", said, re.MULTILINE)) <= 1
    assert_gone(processes.values())


# ---- the command


QUICK = ["--min-count", "1", "--vector-size", "8", "--epochs", "2", "--workers", "1",
         "--batch-words", "200"]  # fmt: skip


@pytest.fixture
def train(tmp_path):
    lines = [f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in made_up_pairs(600)]
    (tmp_path / "both.tsv").write_text("".join(lines), encoding="utf-8")
    return ["train", "-o", tmp_path / "m", "--pairs", f"en,de={tmp_path}/both.tsv", *QUICK]


COMMAND = f"{ALL.replace('team = MPITeam()', '')}from gensim_bilbowa.__main__ import main; main()"


def bilbowa(size, *arguments):
    return subprocess.run(
        command(size, sys.executable, "-P", "-c", COMMAND, *arguments), env=environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_command_trains_one_model_and_speaks_once(train, tmp_path):
    result = bilbowa(2, *train, "--mpi", "--mpi-merges", 11, "--lexicon", tmp_path / "words.tsv")
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("EPOCH 2: training on") == 1
    assert result.stderr.count("saved to") == 2
    pairs = {("en", "de"): made_up_pairs(600)}
    options = {"min_count": 1, "vector_size": 8, "epochs": 2, "workers": 1, "batch_words": 200}
    expected = simulate(2, lambda team: BilBOWA(parallel=pairs, team=team, **options), merges=11)
    assert_same(BilBOWA.load(tmp_path / "m"), expected[0])
    assert (tmp_path / "words.tsv").exists()


@pytest.mark.parametrize(("options", "code", "said"), [
    (["--mpi", "--nonsense"], 2, "No such option"),
    (["--mpi", "--alpha", "-1"], 2, "alpha must be a number"),
    (["--mpi", "--text", "en=nowhere.txt"], 1, "no such file: nowhere.txt"),
])  # fmt: skip
def test_command_says_an_error_once(train, tmp_path, options, code, said):
    result = bilbowa(3, *train, *options)
    assert result.stderr.count(said) == 1
    assert result.returncode == code
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "m").exists()


def test_command_that_was_started_several_times_by_mistake_trains_nothing(train, tmp_path):
    result = bilbowa(2, *train)
    assert result.returncode != 0
    assert "this is one of 2 processes" in result.stderr
    assert not (tmp_path / "m").exists()


def test_killed_command_goes_on_with_the_bits_of_one_that_was_not(train, tmp_path):
    options = ["--mpi", "--checkpoint-every", "0.01s", "--epochs", 20]
    whole = [tmp_path / "whole" if part == tmp_path / "m" else part for part in train]
    result = bilbowa(2, *whole, "--mpi", "--epochs", 20)
    assert result.returncode == 0, result.stderr
    draw = random.Random(1)
    for kills in range(3):
        with started(2, BILBOWA, *train, *options, *(["--resume"] if kills else [])) as child:
            for line in child.stderr:
                if "checkpoint-" in line:  # the first one of this part
                    break
            time.sleep(draw.random())
            numbers = subprocess.run(
                ["pgrep", "-f", f"{BILBOWA} train -o {tmp_path}/m"], capture_output=True,
                text=True, check=False,
            ).stdout.split()  # fmt: skip
            victims = [number for number in numbers if int(number) != child.pid]
            if victims:
                subprocess.run(["kill", "-9", draw.choice(victims)], check=False)
            child.communicate()
        if child.returncode == 0:
            break
    else:
        result = bilbowa(2, *train, *options, "--resume")
        assert result.returncode == 0, result.stderr
    assert_same(BilBOWA.load(tmp_path / "m"), BilBOWA.load(tmp_path / "whole"))
    assert not (tmp_path / "m.checkpoints").exists()
