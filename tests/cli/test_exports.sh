#!/bin/bash
# test_exports.sh TERRANE [BACKEND] - tests what export refuses, warns of and explains: file names, sizes, sidecars,
# the place that a PNG shows, clamped samples, presets, the end of the world, and the time that an export takes.
set -u
terrane=$1
backend=${2:-cpu}
. "$(dirname "$0")/../tools/shell.sh"
write() { "$terrane" export --backend "$backend" "$@" >out 2>err || fail "export $*: $(cat err)"; }
says() { grep -qF -- "$1" err || fail "expected '$1', got: $(cat err)"; }
is_silent_of() { ! grep -qF -- "$1" err || fail "did not expect '$1' in: $(cat err)"; }

# ---- endings ----
expect 2 "'x.jpg', whose ending no format has: expected one of .r32" export --size 8x8 -o x.jpg
expect 2 "'x.jpg', whose ending no format has" export --preset unreal --size 127x127 --range 0,1 -o x.jpg
expect 0 '' export --backend "$backend" --size 8x8 --format r32 -o x.jpg
expect 0 '' export --backend "$backend" --size 8x8 -o plain
expect 0 '' export --backend "$backend" --size 33x33 --preset unity -o u.raw
[ "$(stat -c %s plain)" -eq 256 ] || fail "a name without an ending is not raw floats"

# ---- names ----
expect 2 '' export --size 8x8 -o ''
[ -z "$(find . -name '.part*')" ] || fail "-o '' left files: $(ls -A)"
long=$(printf 'n%.0s' $(seq 251))
expect 2 'file name of 255 characters, expected at most 250' export --backend "$backend" --size 8x8 -o "$long.r32"
expect 0 '' export --backend "$backend" --size 8x8 -o "${long:5}.r32"
lacks sidecars || expect 0 '' export --backend "$backend" --verify "${long:5}.r32"
expect 2 'file name of 251 characters' export --backend "$backend" --size 8x8 --tiles 2x10 -o "${long:10}_{x}_{y:3}.r32"
expect 2 "the name of the .vrt" export --backend "$backend" --size 8x8 --tiles 1x1 --format r32 -o '{x.vrt'
[ ! -e '{x.vrt' ] || fail "a refused set left {x.vrt"
expect 3 'No such file or directory' export --backend "$backend" --size 8x8 -o nowhere/a.r32
for file in a.r32 a.pgm; do
  expect 3 "'/proc/$file': no file can be created in folder '/proc'" export --backend "$backend" --size 8x8 \
    -o /proc/$file
done
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
  mkdir closed; chmod 555 closed; chmod 755 .
  for format in r32 map; do
    # this user may not be able to read the file of suppressions
    TSAN_OPTIONS='' setpriv --reuid 65534 --clear-groups "$terrane" export --backend "$backend" --size 8x8 --format $format \
      -o closed/a.png.$format 2>err
    [ $? -eq 3 ] && grep -q "closed/a.*Permission denied" err || grep -q 'viewer' err ||
      fail "a folder that cannot be written to: $(cat err)"
  done
fi

# ---- sizes that no reader accepts are refused before any sample is made, also for pictures of layers ----
# too_large MOST WORDS...   check that an export is refused, and that the message names MOST, the largest size
too_large() {
  local most=$1
  shift
  expect 2 "expected at most $most" export --basis smooth --backend "$backend" "$@"
  [ -z "$(ls w* 2>/dev/null)" ] || fail "$*: a refused size left $(ls w*)"
}
if ! lacks 'PNG files'; then
  too_large 1000000x1000000 --size 1000001x2 -o w.png
  too_large 1000000x1000000 --size 2x1000001 -o w.png
  too_large 999998x999998 --size 999999x2 --tiles 1x1 --border 1 -o w.png
  too_large '1000000x1000000 for layer normal' --size 1000001x2 --layer normal -o w.png
  too_large '1000000x1000000 for layer normal' --size 1000001x2 --layer height,normal -o w.r32
  too_large '1000000x1000000 for layer splat' --size 2x1000001 --layer height,splat -o w.r16
  write --basis smooth --size 1000000x1 --range=-2000,2000 -o w.png
  if command -v gdalinfo >/dev/null; then
    [ "$(gdalinfo w.png 2>&1 | grep -c 'Size is 1000000, 1$')" -eq 1 ] ||
      fail "a PNG of 1,000,000: $(gdalinfo w.png 2>&1)"
  fi
  lacks sidecars || expect 0 '' export --backend "$backend" --verify w.png
  rm w.*
fi
too_large 536870911x2147483647 --size 536870912x1 -o w.r32
too_large 536870911x2147483647 --size 1x2147483648 -o w.r32
too_large 1073741823x2147483647 --size 1073741824x1 -o w.r16
too_large 1073741823x1073741823 --size 1073741824x1 -o w.pgm
too_large '536870909 samples for hfield' --size 23171x23171 -o w.hfield
# GDAL stores widths and heights in an int. A larger set gets no .vrt, because no program could open it.
write --basis smooth --size 4096x1 --tiles 524288x1 --shard 524287/524288 -o w.r32
says 'no .vrt joins the tiles: together they have 2147483648 x 1 samples'
[ -s w_x524287_y0.r32 ] && [ ! -e w.vrt ] || fail "a set wider than an int: $(ls w*)"
rm w_*

# ---- a sidecar belongs to its file ----
if ! lacks sidecars && ! lacks checksums; then
  write --preset unreal --size 127x127 --range 0,300 -o a.r16
  write --size 9x9 -o a.r32
  touch -d '+1 minute' a.json
  expect 0 '' export --backend "$backend" --verify a.r32 a.r16
  touch -d '+1 minute' a.r32.json
  expect 0 '' export --backend "$backend" --verify a.r32 a.r16
  expect 3 "'a.json' exists already and is not this file's" export --backend "$backend" --preset unreal \
    --size 127x127 --range 0,300 --format r16 -o a.raw
  [ ! -e a.raw ] || fail "a refused export left a.raw"
  mv a.r16 b.r16; mv a.json b.json
  expect 0 '' export --backend "$backend" --verify b.r16
  rm a.r32.json
  mv b.json a.json
  expect 3 "cannot read 'a.r32.json'" export --backend "$backend" --verify a.r32
fi

# ---- the place that a PNG shows is in its georeference file ----
if ! lacks 'PNG files'; then
  write --at 1000,-2000 --lod 2 --size 16x12 --range 0,300 -o p.png
  printf '4\n0\n0\n-4\n1000\n2000\n' | cmp -s - p.pgw || fail "georeference file: $(cat p.pgw)"
  if command -v gdalinfo >/dev/null; then
    gdalinfo p.png 2>/dev/null | grep -q 'Origin = (998.000000000000000,2002.000000000000000)' ||
      fail "place of a PNG: $(gdalinfo p.png)"
    write --at 1000,-2000 --lod 2 --size 16x12 --tiles 2x1 --range 0,300 -o ps.png
    gdalinfo ps.vrt 2>/dev/null | grep -q 'Origin = (998.000000000000000,2002.000000000000000)' ||
      fail "place of PNG tiles: $(gdalinfo ps.vrt)"
  fi
  write --size 8x8 --range 0,300 --row-order south -o south.png
  [ ! -e south.pgw ] || fail "a PNG whose first row is the southern one has a georeference file"
  echo mine >q.pgw
  expect 3 "'q.pgw' exists already and is not this file's" export --backend "$backend" --size 8x8 --range 0,300 \
    -o q.png
  [ "$(cat q.pgw)" = mine ] && [ ! -e q.png ] || fail "another program's georeference file was replaced"
fi

# ---- clamped samples ----
write --basis smooth --at 1913248,2535840 --lod 4 --size 127x127 --range 0,50 -o c.r16
says 'warning: '; says '% of the samples are clamped, for heights go from'
write --basis smooth --at 1913248,2535840 --lod 4 --size 127x127 -o d.r16
is_silent_of warning

# ---- without --at, exports begin on land; coarse levels of detail find a place, too ----
write --size 256x256 -o land.r32
od -An -v -tf4 -w4 land.r32 | awk '$1 <= 0 { exit 1 }' || fail "an export begins in the sea: $(cat err)"
for lod in 5 11 20; do write --size 2x2 --lod $lod --force -o lod.r32; done

# ---- the explanations of presets ----
write --preset unity --size 33x33 --tiles 2x2 --range -100,400 -o terrain.r16
says "'terrain.r16' becomes 'terrain_0_0.raw' and so on"; is_silent_of '{x'; says \
  'terrain_0_1.raw and others: 4 files written'
if ! lacks OpenEXR; then
  write --preset blender --size 9x5 -o bl.exr
  is_silent_of 'HI - LO'; is_silent_of png16; says 'exr: metres, Strength 1'; says 'Extension: Extend'; says \
    'Interpolation: off'
  says 'Grid with X Subdivisions 8 and Y Subdivisions 4'; says 'Clip End'; says 'Dimensions 8 x 4 m'
  write --preset godot --size 64x48 --tiles 2x2 -o g.exr
  is_silent_of 'R16 Range'; says 'Godot 4'; says 'half floats'; says 'Import Position'
  says 'g_x0_y0.exr: 0, 0'; says 'g_x1_y0.exr: 64, 0'; says 'g_x0_y1.exr: 0, 48'; says 'g_x1_y1.exr: 64, 48'
fi
if ! lacks 'PNG files'; then
  write --preset blender --size 9x5 --range 0,300 -o bl.png
  is_silent_of 'exr:'; says 'png16: Strength 300, and the plane at Z 0'
fi
write --preset godot --size 1024x1024 --tiles 4x2 --lod 3 -o big.r32 --shard 7/8
says 'Region Size 1024'; says 'big_x3_y1.r32: 1024, 0'
expect 0 '' export --preset unreal --help
! grep -q -e '--lod' -e 'Formats' out && grep -q '^Preset unreal\. ' out && grep -q '127, 253' out ||
  fail "--preset unreal --help: $(cat out)"
expect 0 '' export --preset blender --help
grep -q 'HI - LO' out && grep -q 'exr: metres' out || fail "--preset blender --help: $(cat out)"
expect 0 '' export --help
grep -q 'VTK.*tiled' out && grep -q 'exr .*Godot before 4' out && grep -q 'png16 .*pgw' out ||
  fail "formats of --help: $(cat out)"

# ---- beyond the end of the world: the message also says which samples around the array are needed ----
end=$((2 ** 46 - 64))
expect 2 'leaves the world, which ends at 2\^46 = 70368744177664$' export --at $end,0 --size 66x4 -o n.r32
expect 2 '70368744177664; the normals of a mesh need 1 sample more on all sides$' export --at $end,0 --size 65x4 \
  -o n.stl
lacks 'PNG files' || expect 2 '70368744177664; layer splat needs 26 samples more on all sides$' export --at $end,0 \
  --size 65x4 --layer splat -o n.png
expect 2 '70368744177664; --border adds 3 samples on all sides; layer slope needs 1 sample' export --at $end,0 \
  --size 65x4 --layer slope --tiles 1x1 --border 3 -o n.r32

# ---- a short spacing makes the land much too steep, and export warns of that ----
write --spacing 0.05 --preset mujoco --size 401x401 -o walls.hfield
says 'warning: the mean slope is 86 degrees, for a spacing of 0.05 m scales land sideways and not upwards'
says 'leave the spacing at 1 m and give --lod: --lod -3 has samples 0.125 m apart'
write --spacing 0.05 --dry-run --size 401x401 -o walls.r32
says 'the mean slope is 86 degrees'
write --size 401x401 -o wide.r32
is_silent_of slope
if ! lacks 'world files'; then
  write --world rough-ground --preset mujoco --size 401x401 -o rough.hfield
  is_silent_of warning
  write --world rough-ground --size 401x401 --layer slope -o rough.r32
  low=$(figure min rough.r32.json) high=$(figure max rough.r32.json)
  lacks sidecars || awk "BEGIN { exit !($low >= 0 && $high > 20 && $high < 60) }" ||
    fail "slopes of rough-ground go from $low to $high"
fi

# ---- without a progress bar, a long export prints its expected time once, and a short one does not ----
"$terrane" export --backend "$backend" --threads 1 --lod 9 --size 2000x2000 -o long.r32 2>err & long=$!
await 60 grep -q 'long.r32: about .* more' err || kill -0 $long 2>/dev/null || [ "$backend" = cuda ] ||
  fail "a long export does not print its expected time: $(cat err)"
kill -INT $long 2>/dev/null
wait $long
[ "$(grep -c ' more$' err)" -le 1 ] || fail "the expected time is printed more than once: $(cat err)"
write --size 100x100 -o short.r32
is_silent_of ' more'
finish
