#!/bin/bash
# test_land.sh TERRANE - land with rivers has the figures of real land, and noise does not. The figures are
# measured by pyflwdir, which CI installs from PyPI.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
. "$tests/../tools/python_environment.sh"
need_packages numpy pyflwdir
"$python" "$tests/test_land.py" "$terrane" >log 2>&1 || fail "land: $(tail -4 log)"
cat log
finish
