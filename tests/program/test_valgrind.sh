#!/bin/bash
# test_valgrind.sh TERRANE PROGRAM... - short tests in C and short commands run under valgrind's memcheck: no
# uninitialised memory is used, no access is invalid, and no memory is lost.
set -u
terrane=$1 backend=cpu
shift
command -v valgrind >/dev/null || { echo "skipped: valgrind is missing" >&2; exit 77; }
. "$(dirname "$0")/../tools/shell.sh"
n_runs=0

# clean WORDS...   run a command under valgrind, which exits with 99 if it finds a fault
clean() {
  valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
    --errors-for-leak-kinds=definite,indirect "$@" >out 2>err
  local got=$?
  [ $got -ne 99 ] && [ $got -lt 128 ] || fail "$*: $(head -20 err)"
  n_runs=$((n_runs + 1))
}

for program in "$@"; do
  # shellcheck disable=SC2086
  clean ${program//,/ }
done
clean "$terrane" probe 100,200 --backend cpu
clean "$terrane" probe 100,x
clean "$terrane" bench --size 16 --samples 1 --generators tiled --backends cpu
clean "$terrane" export --backend cpu --size 48x40 --basis smooth -o a.tif # asan writes all formats
clean "$terrane" export --backend cpu --verify a.tif
clean "$terrane" export --backend cpu --size 48x40 --range auto -o a.png
clean "$terrane" export --backend cpu --size 48x40 --basis smooth --tiles 2x2 --resume -o 't_{x}_{y}.r32'
echo "runs under valgrind: $n_runs"
finish
