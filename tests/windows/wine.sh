# wine.sh - shared by the tests of the program for Windows, which wine runs; sourced with $terrane, $built and $backend
# set. Works in a new folder with a system of wine of its own. Without a window, unless the test sets DISPLAY.
target=x86_64-w64-mingw32
built=$(realpath "${TERRANE_WINDOWS:-$built}")
export LC_ALL=C.UTF-8 WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= DISPLAY=
command -v wine >/dev/null || { echo "skipped: wine is missing" >&2; exit 77; }
[ -e "$built/terrane.exe" ] || { echo "skipped: windows_build has made no terrane.exe" >&2; exit 77; }
. "$(dirname "$0")/../tools/shell.sh"
export WINEPREFIX=$folder/prefix
trap 'wineserver -k; rm -rf "$folder"' EXIT
command -v wineserver >/dev/null || PATH=$PATH:/usr/lib/wine
exe() { wine "$built/terrane.exe" "$@"; }
exe info >info || fail "terrane.exe does not run"
has() { ! grep 'left out of this build' info | grep -q "$1"; }

# needs PART...   say which parts the program for Windows lacks, and do not pass then
missing=
needs() {
  for part in "$@"; do
    has "$part" || missing="$missing$part, "
  done
}

# finish_windows   as finish, but a test that has left something out counts as skipped
finish_windows() {
  [ $failed -eq 0 ] || exit 1
  [ -z "$missing" ] || { echo "skipped in part: terrane.exe is without ${missing%, }" >&2; exit 77; }
  echo "all as expected"
}
