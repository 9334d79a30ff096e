#!/bin/bash
# test_gpu_passes.sh TERRANE PICTURE_COMPARE PICTURE_CHECK - the passes for GPUs, run by Mesa, draw the same pictures as
# those for the CPU. On GPUs compute shaders draw the land, and two programs shade it. These passes leave no hole, and
# clip triangles that reach behind the camera.
set -u
terrane=$1 compare=$2 check=$3 backend=cpu
guide=$(cd "$(dirname "$0")/../../assets/worlds-guide" && pwd)
. "$(dirname "$0")/../tools/shell.sh"

size="128 72"
# expect_same NAME MOST OPTIONS...   draw each frame of a flight by both kinds of passes, and check that their mean
# difference is at most MOST
expect_same() {
  local name=$1 most=$2 frame
  shift 2
  set -- --headless --backend cpu --size ${size/ /x} "$@"
  "$terrane" fly "$@" --frames-dir "$name-cpu" 2>err || fail "$name: terrane fly $*: exit status $?: $(cat err)"
  TERRANE_DRAW_AS_GPU=1 "$terrane" fly "$@" --frames-dir "$name-gpu" --stats "$name.json" 2>err ||
    fail "$name, as GPUs: exit status $?: $(cat err)"
  [ "$(figure gl_errors "$name.json")" = 0 ] || fail "$name: GL errors: $(grep -A3 gl_error_texts "$name.json")"
  for frame in "$name-cpu"/*; do
    frame=$(basename "$frame")
    "$compare" "$name-gpu/$frame" "$name-cpu/$frame" "$most" >/dev/null 2>err || fail "$name, $frame: $(cat err)"
    "$check" "$name-gpu/$frame" $size none 2 2>&1 | grep -q ' 0 magenta' ||
      fail "$name, $frame: $("$check" "$name-gpu/$frame" $size none 2 2>&1)"
  done
}

# From 400 m above the ground, and from 3 m, where triangles reach behind the camera. Both frames are of one flight,
# because compiling shaders takes most of the time.
ground=$("$terrane" probe --backend cpu --world "$guide/smooth-alps.ini" 44224,17920 | cut -d ' ' -f 3)
echo "$ground" | awk '{ printf "0 44224 17920 %.2f 250 -8\n1 44224 17920 %.2f 250 -8\n", $1 + 400, $1 + 3 }' >path.txt
# both kinds of passes shade slightly different places of a far rock face, whose snow and ribs are as fine as pixels
expect_same land 1.5 --quality high --layers terrain,sky --world "$guide/smooth-alps.ini" --path path.txt --fps 1 \
  --frames 2
[ "$(ls land-gpu | wc -l)" -eq 2 ] || fail "$(ls land-gpu | wc -l) frames of two"
# the passes for the CPU shade blocks of sea, coast and land by separate programs
expect_same coast 1 --quality low --layers terrain,sky,water --world "$guide/smooth-fjords.ini" --at 30000,20000 \
  --altitude 200 --pitch -8 --frames 1
finish
