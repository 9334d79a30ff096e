#!/bin/bash
# test_frames.sh TERRANE - frames of the same flight have the same checksums with any number of threads that draw them
# and make their tiles, in every run, and in each other build of TERRANE_OTHER_BUILDS (programs, separated by spaces).
# Another driver draws other frames, so no checksum is stored here.
set -u
terrane=$1 backend=cpu
guide=$(cd "$(dirname "$0")/../../assets/worlds-guide" && pwd)
. "$(dirname "$0")/../tools/shell.sh"
small="--headless --backend cpu --size 96x54 --fps 10 --speed 2000 --checksums"

# draw NAME PROGRAM OPTIONS...   write checksums of a flight's frames to the file NAME
draw() {
  local name=$1 program=$2
  shift 2
  # shellcheck disable=SC2086
  ASAN_OPTIONS=detect_leaks=0 "$program" fly $small "$@" >"$name" 2>err ||
    fail "terrane fly $*: exit status $?: $(cat err)"
}

# compare NAME   check that a flight's checksums are those of its first run
compare() { cmp -s first "$1" || fail "$flight: $1 differs: $(diff first "$1" | tr '\n' ' ')"; }

while read -r frames flight; do
  # shellcheck disable=SC2086
  {
    LP_NUM_THREADS=1 draw first "$terrane" $flight --frames "$frames" --threads 1
    [ "$(sort -u -k2 first | wc -l)" = "$frames" ] ||
      fail "$flight: some frames of the flight are equal: $(cat first)"
    LP_NUM_THREADS=5 draw threads "$terrane" $flight --frames "$frames" --threads 7
    compare threads
    for other in ${TERRANE_OTHER_BUILDS:-}; do
      [ -x "$other" ] || { fail "$other is missing"; continue; }
      draw "build-$(basename "$(dirname "$other")")" "$other" $flight --frames "$frames"
      compare "build-$(basename "$(dirname "$other")")"
    done
  }
done <<END
4 --quality low --world $guide/smooth-fjords.ini --at 30000,20000 --altitude 300 --time 16 --morph-to 9,0.3
1 --quality medium --world $guide/smooth-alps.ini --at 44224,17920 --heading 250
END
echo "other builds: ${TERRANE_OTHER_BUILDS:-none}"
finish
