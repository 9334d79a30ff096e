#!/bin/bash
# test_land.sh TERRANE - drainage and slopes of land with rivers have the figures of real land, and those of noise do
# not. They are measured with pyflwdir, which is installed from PyPI.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
. "$tests/../tools/python_environment.sh"
need_packages numpy pyflwdir
"$python" "$tests/test_land.py" "$terrane" >log 2>&1 || fail "land: $(tail -4 log)"
cat log
finish
