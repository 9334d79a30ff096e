#!/bin/bash
# test_export_layers.sh TERRANE - exported layers have the values that GDAL and numpy compute. Also tested: file names,
# sidecars, sets, resumption, both orders of rows, and refusals.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
python=/usr/bin/python3
for thing in sidecars checksums 'PNG files' TIFF; do
  ! lacks "$thing" || { echo "skipped: this build lacks $thing" >&2; exit 77; }
done
for program in gdal_translate gdaldem gdalinfo; do command -v $program >/dev/null ||
  { echo "skipped: $program is missing" >&2; exit 77; }; done
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: numpy is missing" >&2; exit 77; }
w=149 h=120 x=60000 z=30000
write() { "$terrane" export --backend cpu --lod 2 "$@" 2>err || fail "export $*: $(cat err)"; }
land() { write --world alps --at $x,$z --size ${w}x$h "$@"; }

# ---- values ----
write --world alps --at $((x - 120)),$((z - 120)) --size $((w + 60))x$((h + 60)) -o wide.r32
land --layer height,slope,normal,curvature,splat,forest -o 'l_{layer}.tif'
numbers=$(for layer in curvature height slope; do echo l_$layer.tif l_$layer.tif.json; done)
pictures=$(for layer in forest normal splat; do echo l_$layer.pgw l_$layer.png l_$layer.png.json; done)
[ "$(ls l_* | sort)" = "$(echo "$numbers" "$pictures" | tr ' ' '\n' | sort)" ] ||
  fail "files of layers: $(ls l_*)"
land --layer height,slope --range 0,5000 -o s.png
[ -s s_height.png ] && [ -s s_slope.png ] || fail "names without {layer}: $(ls s*)"
land --layer normal --normal-bits 16 -o n16.png
land --layer normal --normal-map directx -o d8.png
land --layer normal --normal-map directx --normal-bits 16 -o d16.png
sea=-524288,-524288
write --world fjords --at $sea --size ${w}x$h -o sea.r32
write --world fjords --at $sea --size ${w}x$h --layer splat -o sea_splat.png
write --at -1075000,1942312 --size ${w}x$h --layer water,splat,forest -o 'wet_{layer}.r32'
write --basis smooth --sea -45 --at 1918048,2540640 --size ${w}x$h --layer height,splat -o 'coast_{layer}.r32'
"$python" "$tests/test_export_layers.py" >log 2>&1 || fail "layers: $(tail -4 log)"
[ "$(grep -c ^check_ log)" -eq 5 ] || fail "checks: $(cat log)"
expect 0 '' export --verify l_*.tif l_*.png s_*.png n16.png d8.png d16.png
[ "$(grep -c 'checksum right' out)" -eq 11 ] || fail "--verify: $(cat out err)"
land -o alone.tif
cmp -s alone.tif l_height.tif || fail "heights beside layers differ from heights alone"
land --range 0,5000 -o alone.png
cmp -s alone.png s_height.png || fail "16-bit heights beside layers differ from heights alone"

# ---- --verify finds a changed pixel, and the sidecar of another layer ----
gdal_translate -q -b 1 -b 2 -b 3 l_splat.png c.png 2>/dev/null; cp l_splat.png.json c.png.json
expect 3 'has 149 x 120 pixels, 3 of 8 bits each, expected 149 x 120, 4 of 8' export --verify c.png
cp l_normal.png c.png; sed 's/"green":.*/"green":\t"south",/' l_normal.png.json >c.png.json
expect 1 'samples differ' export --verify c.png
sed 's/"layer":.*/"layer":\t"splat",/' l_normal.png.json >c.png.json
expect 3 '"layer" is missing or out of range' export --verify c.png
sed 's/"layer":.*/"layer":\t"lava",/' l_slope.tif.json >c.tif.json; cp l_slope.tif c.tif
expect 3 '"layer" is missing or out of range' export --verify c.tif
# a sidecar as earlier versions wrote it, without these members
grep -v -e '"layer"' -e '"unit"' -e '"no_data"' alone.tif.json >c.tif.json; cp alone.tif c.tif
expect 0 '' export --verify c.tif

# ---- sets: every tile is equal to a part of one large export, also at its edges ----
write --world alps --at $x,$z --size 37x40 --tiles 4x3 --layer slope,splat -o t.r32
land --layer slope -o slope.r32
"$python" - <<'END' || fail "tiles of a layer differ from one large export"
import numpy
whole = numpy.fromfile('slope.r32', '<u4').reshape(120, 149)
for r in range(3):
    for c in range(4):
        tile = numpy.fromfile(f't_x{c}_y{r}_slope.r32', '<u4').reshape(40, 37)
        assert (tile == whole[40*r:40*r+40, 37*c:37*c+37]).all(), (r, c)
END
gdalinfo t_slope.vrt 2>/dev/null | grep -q 'Size is 148, 120' || fail "t_slope.vrt: $(gdalinfo t_slope.vrt 2>&1)"
[ ! -e t_splat.vrt ] || fail "pictures have a .vrt"
cp t_x1_y1_splat.png kept; rm t_x1_y1_splat.png t_x2_y0_slope.r32
write --world alps --at $x,$z --size 37x40 --tiles 4x3 --layer slope,splat -o t.r32 --resume
grep -q '2 files written, 22 kept' err && cmp -s kept t_x1_y1_splat.png || fail "--resume of layers: $(cat err)"
expect 0 '' export --verify t_x2_y0_slope.r32

# ---- Unity's heights begin with the southern row, its pictures with the northern row ----
write --world alps --at $x,$z --size 33x33 --preset unity --layer height,normal,splat --range 0,5000 -o u.raw
write --world alps --at $x,$z --size 33x33 --range 0,5000 -o north.r16
write --world alps --at $x,$z --size 33x33 --layer normal -o north.png
cmp -s north.png u_normal.png || fail "a normal map for Unity does not begin with the northern row"
"$python" -c "
import numpy
a, b = (numpy.fromfile(f, '<u2').reshape(33, 33) for f in ('north.r16', 'u_height.raw'))
assert (a[::-1] == b).all()" || fail "Unity's heights beside pictures"
expect 0 '' export --verify u_height.raw u_normal.png u_splat.png
write --world alps --at $x,$z --size 127x127 --preset unreal --layer height,normal --range 0,5000 -o un.r16
grep -q 'the weightmap of a target layer' err || fail "preset unreal does not explain what layers are for: $(cat err)"
[ -s un_height.json ] && grep -q '"green":.*"south"' un_normal.png.json || fail "layers for Unreal: $(ls un*)"

# ---- the layers that a preset makes without --layer, and numbers of clamped samples ----
write --world alps --at $x,$z --size 33x33 --preset unity --range 0,5000 -o 'set_{layer}.raw'
[ "$(ls set_*.raw set_*.png | tr '\n' ' ')" = "set_forest.png set_height.raw set_normal.png set_splat.png " ] &&
  cmp -s set_normal.png u_normal.png ||
  fail "Unity's set: $(ls set_*)"
write --world alps --at $x,$z --size 33x33 --layer splat --preset unity -o set_alone.png
# The file name that the help of a preset recommends is accepted, for one file and for tiles; so is a name without
# {layer} for the tiles of several layers.
for preset in unity:33 unreal:127 godot:33; do
  name=$("$terrane" export --preset ${preset%:*} --help | sed -n "s/.*-o '\(NAME[^']*\)'.*/\1/p" | head -1)
  [ -n "$name" ] || fail "the help of preset ${preset%:*} has no name for files of layers"
  mkdir named && cd named || exit 1
  for more in "-o $name" "-o $name --tiles 2x1" "-o plain.${name##*.} --layer height,splat --tiles 2x1"; do
    write --world alps --at $x,$z --size ${preset#*:}x${preset#*:} --preset ${preset%:*} $more
  done
  [ "$(ls | grep -c 'forest.*png$')" -eq 3 ] && [ "$(ls | grep -c "height.*${name##*.}\$")" -eq 5 ] ||
    fail "files of ${preset%:*}: $(ls)"
  cd .. && rm -r named
done
! grep -q 'Import Raw:$' err || ! grep -q 'Depth Bit' err || fail "a picture is explained as heights: $(cat err)"
write --basis midpoint --valley 0 --gain 0.7 --spacing 0.05 --lod 0 --size 100x100 --layer height,curvature --range \
  -30000,30000 -o both.r16
grep -q ' 0 samples clamped' err || fail "clamped samples of other layers are counted as heights: $(cat err)"
"$python" -c "
import json
height, curvature = (json.load(open(f'both_{layer}.r16.json'))['clamped'] for layer in ('height', 'curvature'))
assert height == 0 and curvature > 0, (height, curvature)" || fail "clamped samples in sidecars"

# ---- interrupted: only complete files stay ----
"$terrane" export --backend cpu --generator single-pass --basis midpoint --size 20000x20000 --layer height,slope \
  -o slow.r32 >/dev/null 2>err &
await_file slow
kill -INT $! 2>/dev/null
wait $!
[ $? -eq 130 ] && grep -q '0 of 2 files are complete' err || fail "interrupted layers: $(cat err)"
[ -z "$(ls slow* 2>/dev/null)" ] || fail "interrupted layers left $(ls slow*)"
"$terrane" export --backend cpu --size 1000x1000 --layer curvature --resume -o k1.r32 2>err ||
  fail "one layer with --resume: $(cat err)"
expect 0 '' export --verify k1.r32

# ---- refused ----
known='height, water, flow, .*, dryness, land, top, glacier, sand, temperature, .*, biome, snow, slope, normal, curvature, splat, forest, accumulation and direction'
expect 2 "layer is 'lava', expected a list of $known" export --size 9x9 --layer lava -o n.r32
expect 2 'names slope twice' export --size 9x9 --layer slope,slope -o n.r32
expect 2 'expected --layer A,B too' export --size 9x9 -o 'n_{layer}.r32'
expect 2 "not in its folder's" export --size 9x9 --layer height,slope -o 'n_{layer}/a.r32'
expect 2 'the name of files for several layers' export --size 9x9 --layer height,slope -o -
expect 2 'expected .png' export --size 9x9 --layer normal -o n.tif
expect 2 "is 'n.raw', but layer splat is a picture: expected .png" export --size 33x33 --preset unity --layer splat \
  -o n.raw
expect 2 'expected --layer A,B too' export --size 33x33 --preset gaea -o 'n_{layer}.r32'
expect 2 'are for layer normal' export --size 9x9 --normal-bits 16 -o n.r32
expect 2 'are PNG files' export --size 9x9 --layer normal --format r32 -o n.png
expect 2 'and --layer are for heights, not for format map' export --size 9x9 --layer slope --format map -o n.png
[ -z "$(ls n.* n_* 2>/dev/null)" ] || fail "a refused export left files"
expect 3 "'l_height.tif' exists already" export --world alps --size 9x9 --layer height,slope -o 'l_{layer}.tif'
finish
