#!/bin/bash
# test_installed.sh BUILD SOURCE CMAKE - install to a folder of its own; the library serves C and C++, the program runs from there,
# finds its worlds, and exports only what the header declares.
set -eu
build=$1 source=$2 cmake=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ -x "$cmake" ] || { echo "skipped: $cmake is missing" >&2; exit 77; }
"$cmake" --install "$build" --prefix "$folder/usr" >"$folder/log"
library=$(dirname "$(find "$folder/usr" -name libterrane.so)")
export LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
sanitize=
nm -D "$library/libterrane.so" | grep -q __asan_init && sanitize=-fsanitize=address
for compiler in "${CC:-cc} -std=c17 -x c" "${CXX:-c++} -std=c++17 -x c++"; do
  $compiler -Wall -Wextra -Werror $sanitize "$source/tests/installed/consumer.c" -I"$folder/usr/include" -L"$library" -lterrane -o "$folder/consumer"
  "$folder/consumer"
done
if nm -D --defined-only "$library/libterrane.so" | awk '$2 ~ /[TDBR]/ {print $3}' | grep -vE '^(ter_|\.)'; then
  echo "the shared library exports the names above, expected ter_... only" >&2
  exit 1
fi
cd "$folder"
bash "$source/tests/test_cli.sh" "$folder/usr/bin/terrane" cpu
