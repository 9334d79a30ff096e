#!/bin/bash
# test_gpu_passes.sh TERRANE PICTURE_COMPARE PICTURE_CHECK - the passes that GPUs run in place of those of the CPU, drawn by Mesa: land by
# compute shaders, shading in two programs. They show the same, leave no hole, and triangles before the camera are cut.
set -u
terrane=$1 compare=$2 check=$3 backend=cpu
guide=$(cd "$(dirname "$0")/../../assets/worlds-guide" && pwd)
. "$(dirname "$0")/../tools/shell.sh"

size="128 72"
fly() { "$terrane" fly --headless --backend cpu --quality high --layers terrain,sky --size ${size/ /x} --frames 1 --heading 250 --world "$guide/smooth-alps.ini" --at 44224,17920 "$@" 2>err || fail "terrane fly $*: exit status $?: $(cat err)"; }
expect_same() { # name, greatest mean difference, options
  local name=$1 most=$2
  shift 2
  fly --screenshot "$name-cpu.png" "$@"
  TERRANE_DRAW_AS_GPU=1 fly --screenshot "$name-gpu.png" --stats "$name.json" "$@"
  [ "$(figure gl_errors "$name.json")" = 0 ] || fail "$name: GL errors: $(grep -A3 gl_error_texts "$name.json")"
  "$compare" "$name-gpu.png" "$name-cpu.png" "$most" >/dev/null 2>err || fail "$name: $(cat err)"
  "$check" "$name-gpu.png" $size none 2 2>&1 | grep -q ' 0 magenta' || fail "$name: $("$check" "$name-gpu.png" $size none 2 2>&1)"
}

expect_same far 1 --altitude 400 --pitch -8
expect_same near 1 --altitude 3 --pitch -8
# blocks of sea, coast and land have programs of their own where the CPU draws
fly() { "$terrane" fly --headless --backend cpu --quality low --layers terrain,sky,water --size ${size/ /x} --frames 1 --world "$guide/smooth-fjords.ini" --at 30000,20000 --altitude 200 --pitch -8 "$@" 2>err || fail "terrane fly $*: exit status $?: $(cat err)"; }
expect_same coast 1
finish
