#!/bin/bash
# test_windows_build.sh TERRANE SOURCE BUILT - builds terrane.exe and libterrane.dll. They have all libraries and lie in
# the folder BUILT, for the other tests. If TERRANE_WINDOWS names a folder that scripts/build-windows has built in,
# there is nothing to do.
set -u
source=$2 built=$3 log=$3.log
[ -z "${TERRANE_WINDOWS:-}" ] || { echo "built already: $TERRANE_WINDOWS"; exit 0; }
for tool in x86_64-w64-mingw32-gcc-posix x86_64-w64-mingw32-objdump ninja; do
  command -v $tool >/dev/null || { echo "skipped: $tool is missing" >&2; exit 77; }
done
# optimised so little, and with passes that are not inlined, because that compiles fast
"$source/scripts/build-windows" --folder "$built" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_C_FLAGS_DEBUG='-O1 -DTER_CALL_PASSES' -DTERRANE_WERROR=ON >"$log" 2>&1 || { tail -n 30 "$log" >&2; exit 1; }
lacking=$(grep -E 'cannot be (had|built)' "$log")
[ -z "$lacking" ] || { echo "skipped in part: $lacking" >&2; exit 77; }
[ -e "$built/terrane.exe" ] && echo "built: $built"
