"""Build a wheel for another machine: ``python wheel.py (windows|aarch64) FOLDER``.

By cross compilers of Debian, on Linux. What meson asks of a Python for that machine is made here:
headers, from those of the Python that runs this, and for Windows an import library of python3.dll
that has only what Python 3.11's has, so that nothing newer can be linked.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from pathlib import Path

import mesonpy
import pefile
from abi3info import DATAS, FUNCTIONS
from abi3info.models import PyVersion
from tools import require

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OLDEST = PyVersion(3, 11)
# DLLs that are part of Windows, or of each Python for it.
PRESENT = {"kernel32.dll", "msvcrt.dll", "python3.dll"}


@dataclass(frozen=True)
class Machine:
    """What a wheel is for: Python's name of the platform, suffixes of modules, tools by package."""

    platform: str
    suffix: str
    tools: dict[str, str]


MACHINES = {
    "windows": Machine(
        "win-amd64", ".pyd",
        {"x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64",
         "x86_64-w64-mingw32-dlltool": "binutils-mingw-w64-x86-64"},
    ),
    "aarch64": Machine(
        "linux-aarch64", ".abi3.so",
        {"aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu"},
    ),
}  # fmt: skip


def main(name: str, folder: str) -> None:
    """Build a wheel into a folder, and check it."""
    machine, work = MACHINES[name], ROOT / "build" / name
    require(machine.tools, f"a wheel for {name}")
    target = Path(folder).absolute()
    target.mkdir(parents=True, exist_ok=True)
    details = python_for(name, work / "python")
    shutil.rmtree(work / "meson", ignore_errors=True)
    os.environ["_PYTHON_HOST_PLATFORM"] = machine.platform  # by which meson-python names the wheel
    os.chdir(ROOT)
    cross = f"--cross-file={HERE / f'{name}.ini'}"
    built = mesonpy.build_wheel(
        os.fspath(target),
        {
            "build-dir": os.fspath(work / "meson"),
            "setup-args": [cross, f"-Dpython.build_config={details}"],
        },
    )
    # It is named after the Python that runs this, but made for the limited API of the oldest.
    tags = ["--remove", f"--python-tag=cp{OLDEST.major}{OLDEST.minor}", target / built]
    subprocess.run([sys.executable, "-m", "wheel", "tags", *tags], check=True, capture_output=True)
    (wheel,) = target.glob(f"{built.split('-cp')[0]}-cp311-abi3-{built.rpartition('-')[2]}")
    if name == "windows":
        check_libraries(wheel)
    subprocess.run([sys.executable, "-m", "abi3audit", "--strict", wheel], check=True)
    print(wheel)


def python_for(name: str, folder: Path) -> Path:
    """Make headers, for Windows an import library, and build-details.json (PEP 739) in a folder."""
    include = folder / "include"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sysconfig.get_path("include"), include)
    libraries: dict[str, object] = {"link_extensions": name == "windows"}
    if name == "windows":
        shutil.copy(HERE / "windows_pyconfig.h", include / "pyconfig.h")
        library = os.fspath(import_library(folder))
        libraries |= {"dynamic": library, "dynamic-stableabi": library}
    facts = {
        "schema_version": "1.0",
        "base_prefix": os.fspath(folder),
        "platform": MACHINES[name].platform,
        "language": {"version": f"{OLDEST.major}.{OLDEST.minor}"},
        "implementation": {"name": "cpython"},
        "abi": {
            "flags": [],
            "extension_suffix": MACHINES[name].suffix,
            "stable_abi_suffix": MACHINES[name].suffix,
        },
        "libpython": libraries,
        "c_api": {"headers": os.fspath(include)},
    }
    details = folder / "build-details.json"
    details.write_text(json.dumps(facts), encoding="utf-8")
    return details


def import_library(folder: Path) -> Path:
    """Make the import library of the oldest Python's python3.dll."""
    functions = [item.symbol.name for item in FUNCTIONS.values() if item.added <= OLDEST]
    data = [f"{item.symbol.name} DATA" for item in DATAS.values() if item.added <= OLDEST]
    definition, library = folder / "python3.def", folder / "libpython3.dll.a"
    lines = ["LIBRARY python3.dll", "EXPORTS", *functions, *data, ""]
    definition.write_text("\n".join(lines), encoding="utf-8")
    subprocess.run(["x86_64-w64-mingw32-dlltool", "-d", definition, "-l", library], check=True)
    return library


def check_libraries(wheel: Path) -> None:
    """Refuse a wheel for Windows whose modules need a DLL that may not be there."""
    with zipfile.ZipFile(wheel) as archive:
        modules = [name for name in archive.namelist() if name.endswith(".pyd")]
        for name in modules:
            image = pefile.PE(data=archive.read(name))
            needed = {entry.dll.decode().lower() for entry in image.DIRECTORY_ENTRY_IMPORT}
            print(f"{name}: {', '.join(sorted(needed))}")
            if needed - PRESENT:
                sys.exit(f"{wheel}: {name} needs {', '.join(sorted(needed - PRESENT))}")
    if not modules:
        sys.exit(f"{wheel}: no extension module in it")


if __name__ == "__main__":
    main(*sys.argv[1:])
