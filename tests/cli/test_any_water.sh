#!/bin/bash
# test_any_water.sh TERRANE BACKEND - with `--water any`, a sample has the water of the cell around it: no water of the
# finest level is missed, rivers are connected at coarse levels of detail, and tiles fit together. Files of all formats
# can be made again from their sidecars. Also tested: derived layers and refusals.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=$2
. "$tests/../tools/shell.sh"
python=/usr/bin/python3
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: numpy is missing" >&2; exit 77; }
for thing in sidecars checksums 'PNG files' TIFF OpenEXR; do ! lacks "$thing" ||
  { echo "skipped: this build lacks $thing" >&2; exit 77; }; done
write() { "$terrane" export -q --backend "$backend" "$@" 2>err || fail "export $*: $(cat err)"; }
x=-1075712 z=1942080 # a river 40 m wide with brooks

write --at $((x - 16)),$((z - 16)) --size 2072x2072 --layer water -o finest.r32
for lod in 1 2 3 4; do
  side=$((2048 >> lod))
  write --lod $lod --at $x,$z --size ${side}x$side --layer water -o point_$lod.r32
  write --lod $lod --at $x,$z --size ${side}x$side --layer water --water any -o any_$lod.r32
done
for lod in 5 6; do
  write --lod $lod --at $x,$z --size $((2048 >> lod))x$((2048 >> lod)) --layer water --water any -o any_$lod.r32
done
write --lod 6 --at $((x + 5 * 64)),$((z + 7 * 64)) --size 13x11 --layer water --water any -o part.r32
write --lod 3 --at $x,$z --size 61x67 --tiles 4x3 --layer water --water any -o t.r32
write --lod 4 --at $x,$z --size 64x64 --layer height,water,splat,forest --water any -o 'both_{layer}.tif'
write --lod 4 --at $x,$z --size 64x64 --layer water --water any -o any.exr
"$python" "$tests/test_any_water.py" >log 2>&1 || fail "water of cells: $(tail -6 log)"
[ "$(grep -c ^check_ log)" -eq 6 ] || fail "checks: $(cat log)"
cat log
expect 0 '' export --backend "$backend" \
  --verify any_4.r32 point_4.r32 t_x1_y2.r32 both_water.tif both_splat.png both_forest.png any.exr
[ "$(grep -c 'checksum right' out)" -eq 7 ] || fail "--verify: $(cat out err)"
cp any_4.r32 c.r32 && sed 's/"water":.*/"water":\t"point",/' any_4.r32.json >c.r32.json
expect 1 'samples differ' export --backend "$backend" --verify c.r32
# At the finest level a cell is a point. A cell at the end of the world, part of which lies outside, has the water of
# its point.
write --at $x,$z --size 65x65 --layer water -o fine.r32
write --at $x,$z --size 65x65 --layer water --water any -o fine_any.r32
cmp -s fine.r32 fine_any.r32 || fail "cells of a lattice step differ from its points"
write --lod 3 --at $((2**46 - 8 * 32)),0 --size 33x33 --layer water --water any -o end.r32
expect 2 'is for layer water and layers made from it' export --size 9x9 --water any -o n.r32
expect 2 "expected point or any" export --size 9x9 --layer water --water all -o n.r32
finish
