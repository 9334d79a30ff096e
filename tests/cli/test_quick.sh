#!/bin/bash
# test_quick.sh SOURCE - scripts/test --quick installs nothing: one line says which packages are missing and what is
# left out without them. Without a compiler or cmake it says so and ends with 1. The test builds nothing: cmake, the
# compiler and the package tools are small scripts in their place.
set -u
source=$1 backend=cpu terrane=none
. "$(dirname "$0")/../tools/shell.sh"
command -v dpkg-query >/dev/null || { echo "skipped: packages are not Debian's here" >&2; exit 77; }

mkdir tree bin
cp -r "$source/scripts" tree/
# stand_in NAME SCRIPT   make a program in the first folder of the path
stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}
stand_in dpkg-query 'for p; do
  case $p in -*|*{*|libtiff-dev|fish|valgrind|gcc) ;; *) echo "$p install ok installed" ;; esac
done'
stand_in apt-get "echo \"\$*\" >>'$folder/installed'"
stand_in sudo "echo \"\$*\" >>'$folder/installed'"
stand_in cmake 'echo "cmake $*"; exit 1'
stand_in cc true
stand_in clang-format-14 true
stand_in git true

PATH=$folder/bin:$PATH tree/scripts/test --quick >out 2>err && fail "without a build the status is 0"
missing='libtiff-dev fish; left out without them: TIFF files, completions of fish'
[ "$(head -1 out)" = "scripts/test: not installed: $missing" ] || fail "it begins with '$(head -1 out)'"
grep -q '^cmake -S . -B build/quick ' out || fail "it does not begin to build: $(cat out err)"
[ ! -e installed ] || fail "it installs: $(cat installed)"

# ---- nothing to build with ----
for tool in sh dirname date nproc; do ln -s "$(command -v $tool)" "bin/$tool"; done
# ends TOOL   check that the script ends with 1 and the sentence that there is no TOOL
ends() {
  (unset CC; PATH=$folder/bin tree/scripts/test --quick) >out 2>err
  [ $? -eq 1 ] && [ "$(cat err)" = "scripts/test: there is no $1: nothing can be built" ] ||
    fail "without $1: $(cat out err)"
}
mv bin/cmake bin/other
ends cmake
mv bin/cc bin/another
ends 'C compiler (gcc, libc6-dev) and no cmake'
mv bin/other bin/cmake
ends 'C compiler (gcc, libc6-dev)'
finish
