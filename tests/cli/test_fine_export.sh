#!/bin/bash
# test_fine_export.sh TERRANE BACKEND - below lod 0 a set, a chain, a mesh and a probe have the same samples, at places
# that lie between whole metres; levels and places that do not exist are refused.
set -u
terrane=$(realpath "$1") backend=$2
. "$(dirname "$0")/../tools/shell.sh"
x=-1101331.75 z=1932264.5
export_fine() { expect 0 '' export --backend "$backend" "$@"; }
bits() { od -An -v -tx4 "$1" | tr -s ' ' '\n' | sed '/^$/d'; }
# same FILE FILE   check that two files have the same bytes
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

# ---- a set, and its places ----
export_fine --lod -2 --at $x,$z --size 32x32 --tiles 2x2 -o 't_{x}_{y}.r32'
export_fine --lod -2 --at -1101323.75,1932264.5 --size 32x32 -o east.r32
same t_1_0.r32 east.r32
grep -q 'map info = {Arbitrary, 1, 1, -1101323.875, -1932264.375, 0.25, 0.25,' t_1_0.r32.hdr ||
  fail "place of t_1_0.r32: $(grep map t_1_0.r32.hdr)"
if ! lacks sidecars; then
  [ "$(figure x t_1_1.r32.json),$(figure z t_1_1.r32.json)" = -1101323.75,1932272.5 ] || fail 'place of t_1_1.r32.json'
  export_fine --lod -2 --at $x,$z --size 32x32 --tiles 2x2 -o 't_{x}_{y}.r32' --resume
  grep -q '0 files written, 4 kept' err || fail "resumed set: $(cat err)"
  expect 0 '' export --verify t_0_1.r32 t_1_1.r32
fi
if ! lacks PNG; then
  export_fine --lod -4 --at -1101331.9375,$z --size 32x32 --range 500,600 --tiles 2x1 -o 'p_{x}.png'
  [ "$(tr '\n' ' ' <p_1.pgw)" = '0.0625 0 0 -0.0625 -1101329.9375 -1932264.5 ' ] || fail "place: $(cat p_1.pgw)"
  grep -q '<GeoTransform>-1101331.96875, 0.0625, 0, -1932264.46875, 0, -0.0625</GeoTransform>' p.vrt ||
    fail "place of p.vrt: $(cat p.vrt)"
fi

# ---- levels ----
export_fine --lod -2-1 --at -1101332,1932264 --size 33x33 -o 'c_{lod}.r32'
export_fine --lod -1 --at -1101332,1932264 --size 17x17 -o half.r32
same c_-1.r32 half.r32
[ "$(bits c_-2.r32 | sed -n '5p;9p')" = "$(bits c_0.r32 | sed -n '2,3p')" ] || fail 'lod 0 is no subset of lod -2'
expect 0 '' probe --backend "$backend" --lod -2 -1101331.75,1932264.25
[ "$(cut -d' ' -f4 out)" = "$(bits c_-2.r32 | sed -n 35p)" ] || fail "probe: $(cat out)"
expect 0 '' export --backend "$backend" --lod -4--3 --at 0,0 --size 17x17 -o 'd_{lod}.r32'

# ---- water of cells, layers with aprons, meshes ----
x=-1104307.75 z=1954569.5 # the bank of a river
export_fine --lod -2 --at $x,$z --size 64x64 --layer water,slope,curvature -o 'p_{layer}.r32'
export_fine --lod -2 --at $x,$z --size 64x64 --layer water --water any -o any.r32
dry=$(bits p_water.r32 | grep -c 7fc00000)
[ "$dry" -gt 300 ] && [ "$dry" -lt 3800 ] || fail "$dry dry samples of 4096"
same p_water.r32 any.r32 # no river is narrower than a step there, as at lod 0
for mesh in glb stl obj; do
  export_fine --lod -3 --at $x,$z --size 33x33 --skirt 1 -o mesh.$mesh
  lacks sidecars || expect 0 '' export --verify mesh.$mesh
done

# ---- what does not exist ----
expect 2 "^terrane export: --lod is '-5', expected an integer from -4 to 24, or two of them" export --size 8x8 \
  --lod -5 -o n
expect 2 '^terrane export: --at is 0.3,0, expected multiples of 0.25 with --lod -2$' export --at 0.3,0 --size 8x8 \
  --lod -2 -o n.r32
expect 2 '^terrane export: --at is 0.5,0, expected multiples of 1 with --lod 0$' export --at 0.5,0 --size 8x8 -o n.r32
expect 2 'leaves the world' export --at 70368744177663.75,0 --size 3x1 --lod -2 -o n.r32
expect 2 "point is '0.1,0', expected multiples of 0.5; --lod -4" probe --lod -1 0.1,0
! ls n* >/dev/null 2>&1 || fail "files of refused exports: $(ls n*)"
finish
