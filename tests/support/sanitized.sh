#!/usr/bin/env bash
# Builds the kernels with a sanitizer, in build/NAME of its own, and runs tests on them:
#   sanitized.sh PYTHON NAME SANITIZERS TEST...
set -euo pipefail
python=$(realpath -s "$1") name=$2 sanitizers=$3
shift 3
root=$(cd "$(dirname "$0")/../.." && pwd)
site=$root/build/$name/site

runtime=$(${CC:-gcc} -print-file-name="lib$name.so")
if [[ $runtime != /* ]]; then
    echo "${CC:-gcc} has no lib$name.so: install the sanitizers of GCC (Debian: libgcc-12-dev)" >&2
    exit 1
fi

"$python" -m pip install --quiet --no-deps --upgrade --target "$site" \
    -Cbuild-dir="$root/build/$name/meson" -Csetup-args=-Dbuildtype=debugoptimized \
    -Csetup-args=-Db_sanitize="$sanitizers" -Csetup-args=-Db_lundef=false "$root"

# Python itself is not built for it: what it never frees would be reported, and its own allocator
# would hide what is read beyond an array. The report must not be held back with the output.
cd "$site"
exec env LD_PRELOAD="$runtime" PYTHONPATH="$site" PYTHONMALLOC=malloc \
    ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}" \
    UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1" \
    TSAN_OPTIONS="halt_on_error=1:${TSAN_OPTIONS:-}" \
    "$python" -m pytest -q -p no:cacheprovider --capture=sys \
    -c "$root/pyproject.toml" --rootdir "$root" "${@/#/$root/}"
