#!/bin/bash
# test_web_module.sh TERRANE SOURCE - under node, the WebAssembly module of scripts/build-web makes all test vectors bit
# for bit, and windows with the bytes of exports of the program. TERRANE_WEB may name a folder with a module that was
# built before.
set -u
terrane=$1 source=$2 backend=cpu
for tool in emcc node python3; do
  command -v $tool >/dev/null || { echo "skipped: $tool is missing" >&2; exit 77; }
done
. "$source/tests/tools/shell.sh"
web=${TERRANE_WEB:-$folder/web}
[ -e "$web/terrane.wasm" ] || "$source/scripts/build-web" "$web" >log 2>&1 || { tail -5 log >&2; exit 1; }
node "$source/tests/tools/web_vectors.js" "$web/terrane.wasm" "$source/tests/data" "$terrane" ||
  fail "the module makes other values"
[ "$(wc -c <"$web/terrane.html")" -lt 1000000 ] || fail "the page has more than a megabyte"
finish
