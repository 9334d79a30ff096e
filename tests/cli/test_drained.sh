#!/bin/bash
# test_drained.sh TERRANE - layers accumulation and direction, and conditioned heights: water goes downhill, areas add
# up, rivers enter with the areas of the network, tiles are parts of the whole, --verify, refusals.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
python=/usr/bin/python3
for thing in sidecars checksums; do
  ! lacks "$thing" || { echo "skipped: this build lacks $thing" >&2; exit 77; }
done
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: numpy is missing" >&2; exit 77; }
write() { "$terrane" export --backend cpu "$@" 2>err || fail "export $*: $(cat err)"; }
place="--at -1078272,1921024 --size 60x50 --lod 7"

# ---- values ----
write $place --layer height,water,flow,accumulation,direction -o 'p_{layer}.r32'
write $place --conditioned --layer height,accumulation,direction -o 'c_{layer}.r32'
write $place --conditioned --layer direction -o d.r16
coarse="--at -1080320,1938944 --size 40x40 --lod 9"
write $coarse --layer height,water -o 'w_{layer}.r32'
write $coarse --conditioned -o w_conditioned.r32
write --basis smooth --sea -45 --at 1918048,2540640 --size 40x30 --layer height,accumulation,direction -o 's_{layer}.r32'
"$python" "$tests/test_drained.py" >log 2>&1 || fail "values: $(tail -4 log)"
[ "$(grep -c ^check_ log)" -eq 6 ] || fail "checks: $(cat log)"
expect 0 '' export --verify p_accumulation.r32 c_height.r32 d.r16 s_direction.r32
[ "$(grep -c 'checksum right' out)" -eq 4 ] || fail "--verify: $(cat out err)"

# ---- tiles are parts of one drainage; both orders of rows; --resume ----
write --at -1078272,1921024 --size 30x25 --lod 7 --tiles 2x2 --conditioned --layer height,direction -o 't_{layer}_{x}_{y}.r32'
"$python" - <<'END' || fail "tiles differ from the whole"
import numpy as np
for layer in "height", "direction":
    tile = [[np.fromfile(f"t_{layer}_{x}_{y}.r32", "<f4").reshape(25, 30) for x in (0, 1)] for y in (0, 1)]
    assert np.array_equal(np.block(tile), np.fromfile(f"c_{layer}.r32", "<f4").reshape(50, 60)), layer
END
expect 0 '' export --verify t_direction_1_0.r32
rm t_height_1_1.r32 t_height_1_1.r32.json
write --at -1078272,1921024 --size 30x25 --lod 7 --tiles 2x2 --conditioned --layer height,direction --resume \
  -o 't_{layer}_{x}_{y}.r32'
expect 0 '' export --verify t_height_1_1.r32
write $place --layer accumulation --row-order south -o south.r32
"$python" -c 'import numpy as np; a, b = (np.fromfile(f, "<f4").reshape(50, 60) for f in ("south.r32", "p_accumulation.r32"))
assert np.array_equal(a[::-1], b)' || fail "--row-order south"

# ---- refusals ----
cp c_height.r32 d.r32
sed 's/"conditioned":[^,]*/"conditioned": false/; s/c_height.r32/d.r32/' c_height.r32.json >d.r32.json
expect 1 'samples differ' export --verify d.r32
sed 's/"drainage"/"drain"/; s/p_direction.r32/e.r32/' p_direction.r32.json >e.r32.json; cp p_direction.r32 e.r32
expect 3 'is missing or out of range' export --verify e.r32
expect 2 'height, accumulation and direction, not for layer slope' export $place --conditioned --layer slope -o a.r32
expect 2 'no rivers' export --basis smooth --size 8x8 --conditioned -o a.r32
expect 2 'plain heights, not for --conditioned' export --size 9x9 --conditioned -o a.stl
expect 2 'expected --range LO,HI' export --size 9x9 --conditioned -o a.r16
expect 2 'cannot hold layer accumulation' export --size 9x9 --layer accumulation -o a.r16
expect 2 'expected at most 33554432 for accumulation' export --size 6000x6000 --layer accumulation -o a.r32
expect 2 'expected at most 1966080 for direction' export --size 999x99 --lod 11 --layer direction -o a.r32
expect 2 'expected at least 0.524' export $place --conditioned --min-area 0.1 -o a.r32
expect 2 'other options are for samples' export $place --conditioned --features rivers -o a.gpkg
[ ! -e a.r32 ] && [ ! -e a.r16 ] || fail "a refused export has left a file"
finish
