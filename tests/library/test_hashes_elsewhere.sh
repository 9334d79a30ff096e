#!/bin/bash
# test_hashes_elsewhere.sh SOURCE [all] - the golden hashes of test_hashes.c hold for another build of the library: gcc
# for arm64 at -O1, whose program runs under qemu-user. The tests hashes and hashes_debug cover gcc at -O3 and -Og, and
# clang at -O2 with its sanitizers. Without a compiler for arm64, clang's -O3 and gcc's -O2 are tested instead. With
# `all` the optimisation levels -O0 to -O3 of gcc and clang are tested, too. Builds run in parallel, one for each
# processor. Missing compilers are reported; without any the test is skipped.
set -u
source=$(cd "$1" && pwd) terrane= backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
flags="-std=gnu17 -D_GNU_SOURCE -ffp-contract=off -fno-math-errno -fno-trapping-math"
flags="$flags -I$source/src -I$source/src/include -I$source/tests/tools"
sources="$(find "$source/src/library" -name '*.c' ! -name '*kernels.c' ! -name system_windows.c)"
# hashes RUNNER COMPILER FLAGS...   build library and test in a folder named by the compiler and its first flag, and run
# the test: it makes the file `equal` there if all hashes are equal, and writes errors to the file `log`
hashes() {
  local runner=$1 compiler=$2 level kernels
  shift 2
  local name=$compiler$1
  mkdir "$name"
  local levels='baseline:'
  [ "$runner" = native ] && [ "$(uname -m)" = x86_64 ] &&
    levels="$levels avx2:-mavx2,-mfma \
      avx512:-mavx512f,-mavx512bw,-mavx512dq,-mavx512vl,-mfma,-mprefer-vector-width=512"
  for level in $levels; do
    for kernels in generator/cpu/row_kernels fluvial/cpu/kernels fluvial/cpu/overview_kernels \
      fluvial/cpu/cover_kernels; do
      # shellcheck disable=SC2046,SC2086
      $compiler "$@" $flags $(echo "${level#*:}" | tr , ' ') -DTER_ROW_KERNELS="ter_row_kernels_${level%%:*}" \
        -DTER_FLUVIAL_KERNELS="ter_fluvial_kernels_${level%%:*}" \
        -DTER_OVERVIEW_KERNELS="ter_overview_kernels_${level%%:*}" \
        -DTER_COVER_KERNELS="ter_cover_kernels_${level%%:*}" -c "$source/src/library/$kernels.c" \
        -o "$name/${kernels##*/}-${level%%:*}.o" 2>>"$name/log" || return
    done
  done
  # shellcheck disable=SC2086
  $compiler "$@" $flags $sources "$source/tests/library/test_hashes.c" "$name"/*.o -o "$name/test" -lm \
    -lpthread 2>>"$name/log" || return
  [ "$runner" = native ] && runner=
  $runner "$name/test" "$source/tests/data/hashes.txt" brief >>"$name/log" 2>&1 && touch "$name/equal"
}

# queue ARGUMENTS...   call hashes as soon as a processor is free
queue() {
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
  hashes "$@" &
}

has_arm64() { command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; }
builds=
has_arm64 || builds="clang-O3 gcc-O2"
[ "${2:-}" = all ] && builds='gcc-O3 clang-O3 gcc-O2 clang-O2 gcc-O1 clang-O1 gcc-O0 clang-O0'
for compiler in gcc clang; do
  command -v $compiler >/dev/null || { echo "without $compiler, which is missing" >&2; builds=$(echo "$builds" |
    sed "s/\b$compiler-O.//g"); }
done
for build in $builds; do
  queue native "${build%-*}" "-${build#*-}"
done
if has_arm64; then
  queue qemu-aarch64 aarch64-linux-gnu-gcc -O1 -static
else
  echo "without arm64: aarch64-linux-gnu-gcc or qemu-aarch64 is missing" >&2
fi
wait
n_builds=0
for name in *-O?; do
  [ -d "$name" ] || continue
  [ -e "$name/equal" ] || { fail "$name: $(tail -3 "$name/log")"; continue; }
  n_builds=$((n_builds + 1))
done
[ $n_builds -gt 0 ] || [ $failed -gt 0 ] || { echo "skipped: no compiler to build with" >&2; exit 77; }
echo "builds with the same hashes: $n_builds"
finish
