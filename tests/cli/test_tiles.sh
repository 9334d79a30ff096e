#!/bin/bash
# test_tiles.sh TERRANE [BACKEND] - sets of tiles have the samples of one large export, files of presets have the bytes
# that their tools expect, and large exports can be resumed, shared out as shards, and refused for lack of disk space.
set -u
terrane=$1
backend=${2:-cpu}
. "$(dirname "$0")/../tools/shell.sh"
if lacks checksums || lacks sidecars; then echo "skipped: this build has no checksums, or no JSON" >&2; exit 77; fi
python=/usr/bin/python3
# Whether all programs that read the files are installed. Without them the test of the CPU is skipped, and that of CUDA
# leaves out the checks that need them.
readers=1
for program in gdal_translate pngcheck exrheader; do command -v $program >/dev/null || readers=; done
"$python" -c 'import numpy' 2>/dev/null || readers=
[ -n "$readers" ] || [ "$backend" = cuda ] ||
  { echo "skipped: GDAL, pngcheck, openexr or numpy is missing" >&2; exit 77; }
check() { if [ -n "$readers" ]; then "$python" -; else cat >/dev/null; fi; }
write() { "$terrane" export --backend "$backend" --basis smooth "$@" >out 2>err || fail "export $*: $(cat err)"; }

# ---- sets: every tile is a part of one large export, shared rows have the same bits, and there may be a border ----
write --at -800,1600 --lod 3 --size 65x65 --tiles 3x2 --overlap 1 --start-index 1 -o 't-{y:3}-{x:2}.r32'
write --at -800,1600 --lod 3 --size 193x129 -o one.r32
write --at -800,1600 --lod 3 --size 64x64 --tiles 3x2 -o d.r32
write --at -800,1600 --lod 3 --size 192x128 -o other.r32
write --at -800,1600 --lod 3 --size 64x64 --tiles 3x2 --border 5 -o e.r32
check <<'END' || fail "tiles differ from one big export"
import numpy
def read(name, w, h): return numpy.fromfile(name, '<u4').reshape(h, w)
one, other = read('one.r32', 193, 129), read('other.r32', 192, 128)
for r in range(2):
    for c in range(3):
        tile = read('t-%03d-%02d.r32' % (r + 1, c + 1), 65, 65)
        assert (tile == one[64*r:64*r+65, 64*c:64*c+65]).all(), ('overlap', r, c)
        tile = read('d_x%d_y%d.r32' % (c, r), 64, 64)
        assert (tile == other[64*r:64*r+64, 64*c:64*c+64]).all(), ('no overlap', r, c)
        tile = read('e_x%d_y%d.r32' % (c, r), 74, 74)
        assert (tile[5:69, 5:69] == other[64*r:64*r+64, 64*c:64*c+64]).all(), ('border', r, c)
END
[ -z "$readers" ] || for set in t d e; do
  gdal_translate -q -of ENVI $set.vrt v.img 2>err || fail "$set.vrt: $(cat err)"
  cmp -s v.img $([ $set = t ] && echo one.r32 || echo other.r32) || fail "$set.vrt differs from one big export"
done
if [ -n "$readers" ] && ! lacks TIFF; then
  write --at -800,1600 --lod 3 --size 64x64 --tiles 3x2 -o g.tif
  gdal_translate -q -of ENVI g.vrt v.img && cmp -s v.img other.r32 || fail "g.vrt of TIFF tiles"
  gdalinfo g.vrt 2>/dev/null | grep -q 'Origin = (-804.000000000000000,-1596.000000000000000)' ||
    fail "place of g.vrt: $(gdalinfo g.vrt)"
fi

# ---- all tiles have the same range ----
write --at 1913248,2535840 --lod 4 --size 64x64 --tiles 2x2 --format r16 --range auto -o r.raw
grep -q '0 samples clamped' err || fail "--range auto clamps: $(cat err)"
[ "$(sed -n '/range_m/,/step_m/p' r_x*.json | grep -c range_m)" -eq 4 ] &&
  [ "$(grep -h range_m r_x*.json | sort -u | wc -l)" -eq 1 ] ||
  fail "ranges of tiles: $(grep -h range_m r_x*.json)"
write --at 1913248,2535840 --lod 4 --size 128x128 --format r16 -o rone.r16
check <<'END' || fail "tiles of 16 bits differ from one big export"
import numpy
one = numpy.fromfile('rone.r16', '<u2').reshape(128, 128)
for r in range(2):
    for c in range(2):
        tile = numpy.fromfile('r_x%d_y%d.raw' % (c, r), '<u2').reshape(64, 64)
        assert (tile == one[64*r:64*r+64, 64*c:64*c+64]).all()
END
write --at 1913248,2535840 --lod 4 --size 128x128 --format r16 --range 0,50 -o clamped.r16 --force
n=$(od -An -v -tu2 -w2 --endian=little clamped.r16 | awk '$1 == 0 || $1 == 65535' | wc -l)
said=$(sed -n 's/.* \([0-9]*\) samples clamped.*/\1/p' err)
[ "$said" -gt 0 ] && [ "$said" -le "$n" ] && [ $((n - said)) -le 3 ] ||
  fail "clamped samples: said $said, $n samples are at the ends"

# the range of a set with borders is that of all its samples
write --size 64x64 --border 50 --tiles 2x2 --at 1913248,2535840 --format r16 -o bo.raw
grep -q ' 0 samples clamped' err || fail "--range auto with a border clamps: $(cat err)"

# ---- presets: files have the bytes that the tools expect ----
write --preset unity --at 1913248,2535840 --lod 4 --size 33x33 --tiles 2x2 --range -100,400 -o terrain.r16
grep -q "'terrain.r16' becomes 'terrain_0_0.raw' and so on" err || fail "unity's names: $(cat err)"
grep -q 'Terrain Size: X 512, Y 500.0076295, Z 512' err || fail "unity's size: $(cat err)"
write --at 1913248,2535840 --lod 4 --size 65x65 --format r16 --range -100,400 -o u.r16
check <<'END' || fail "unity: little endian, first row in the south, y counts to the north, borders are shared"
import numpy
one = numpy.fromfile('u.r16', '<u2').reshape(65, 65)
for x in range(2):
    for y in range(2):
        tile = numpy.fromfile('terrain_%d_%d.raw' % (x, y), '<u2').reshape(33, 33)
        assert (tile == one[::-1][32*y:32*y+33, 32*x:32*x+33]).all(), (x, y)
END
expect 2 'preset unity takes 33, 65, 129, 257, 513, 1025, 2049 or 4097' export --preset unity --basis smooth \
  --size 1024x1024 -o a.raw
expect 2 'preset unity takes squares' export --preset unity --basis smooth --size 65x33 -o a.raw
expect 2 "a '_' before the indices" export --preset unity --basis smooth --size 33x33 --tiles 2x2 -o my_land.raw

write --preset unreal --at 1913248,2535840 --lod 4 --size 127x127 --tiles 2x2 --range -500,3000 -o land.r16
[ -s land_x0_y0.r16 ] && [ -s land_x1_y1.json ] && [ ! -e land_x0_y0.r16.json ] || fail "unreal's names: $(ls land*)"
check <<'END' || fail "unreal's .json: integer width, height and bpp"
import json
j = json.load(open('land_x1_y0.json'))
facts = [j[k] for k in ('width', 'height', 'bpp')]
assert all(type(fact) is int for fact in facts) and facts == [127, 127, 16], j
END
grep -q 'Scale Z: 683.604181 (range \* 100 / 512 = 683.59375' err && grep -q 'sample 32768 is 1250.026703 m' err ||
  fail "unreal's scale: $(cat err)"
expect 0 '' export --verify land_x1_y1.r16 --backend "$backend"
for side in 127 253 505 1009 2017 4033 8129; do
  expect 0 '' export --preset unreal --basis smooth --size ${side}x$side --range 0,1 -o l.r16 --dry-run \
    --backend "$backend"
done
for side in 128 1025 8192; do
  expect 2 'takes 127, 253, 505, 1009, 2017, 4033 or 8129' export --preset unreal --basis smooth --size ${side}x$side \
    -o l.r16
done
expect 2 "takes for a tile's index" export --preset unreal --basis smooth --size 127x127 -o land_4033x4033.r16
expect 2 'preset unreal takes r16 or png16' export --preset unreal --basis smooth --size 127x127 --format r32 -o l.r32

write --preset godot --at 1913248,2535840 --lod 4 --size 64x48 -o g.exr
if [ -n "$readers" ] && ! lacks OpenEXR; then
  exrheader g.exr | grep -q 'R, 32-bit floating-point' || fail "godot: channel R: $(exrheader g.exr)"
fi
expect 2 'tiles of preset godot do not overlap' export --preset godot --basis smooth --size 64x64 --tiles 2x2 \
  --overlap 1 -o g.r16
write --preset worldmachine --at 1913248,2535840 --lod 4 --size 65x65 --range -100,400 -o w.r32
write --preset gaea --at 1913248,2535840 --lod 4 --size 64x64 --tiles 2x1 --border 8 --range -100,400 -o ga.r16
[ -s ga_y0_x1.r16 ] && [ "$(stat -c %s ga_y0_x1.r16)" -eq $((80 * 80 * 2)) ] || fail "gaea's tiles: $(ls -l ga*)"
write --at 1913248,2535840 --lod 4 --size 65x65 -o m.r32
check <<'END' || fail "worldmachine: floats are 0..1 over the range"
import numpy
w, m = (numpy.fromfile(f, '<f4').astype('f8') for f in ('w.r32', 'm.r32'))
assert abs(w - numpy.clip((m + 100) / 500, 0, 1)).max() < 1e-7 and w.max() > 0.1
END
expect 0 '' export --verify w.r32 ga_y0_x0.r16 --backend "$backend"
if [ -n "$readers" ] && ! lacks 'PNG files'; then
  write --preset blender --at 1913248,2535840 --lod 4 --size 65x65 --range -100,400 -o b.png
  pngcheck -v b.png | grep -q 'chunk gAMA.*' || fail "blender: the PNG is not marked linear"
fi
for preset in unity unreal godot gaea worldmachine blender gdal; do
  expect 0 '' export --preset $preset --help
  grep -q "^Preset $preset\." out || fail "--preset $preset --help does not say what to enter"
done

# ---- sets: resume, force, damage ----
write --size 64x64 --tiles 4x3 -o s.r32
expect 3 "'s_x0_y0.r32' exists already" export --backend "$backend" --basis smooth --size 64x64 --tiles 4x3 -o s.r32
cp s_x2_y1.r32 kept; rm s_x2_y1.r32
printf 'damage' | dd of=s_x3_y2.r32 bs=1 seek=77 conv=notrunc 2>/dev/null
write --size 64x64 --tiles 4x3 -o s.r32 --resume
grep -q "'s_x3_y2.r32' is damaged" err && grep -q '2 files written, 10 kept' err || fail "--resume: $(cat err)"
cmp -s kept s_x2_y1.r32 || fail "a resumed tile differs"
expect 0 '' export --verify s_x*.r32 --backend "$backend"
expect 3 'does not belong to this job' export --backend "$backend" --seed 9 --basis smooth --size 64x64 \
  --tiles 4x3 -o s.r32 \
  --resume
write --seed 9 --size 64x64 --tiles 4x3 -o s.r32 --resume --force
grep -q '12 files written, 0 kept' err || fail "--resume --force: $(cat err)"

expect 2 "the name of its own sidecar" export --preset unreal --format r16 --basis smooth --size 127x127 --range 0,1 \
  -o u.json --backend "$backend"
expect 2 "preset unreal takes le" export --preset unreal --basis smooth --size 127x127 --byte-order be -o o.r16
expect 2 "preset gaea takes north" export --preset gaea --basis smooth --size 127x127 --row-order south -o o.r16
# foreign files are not replaced
echo '{"mine": 1}' >mine.json
expect 3 "'mine.json' exists already and is not terrane's" export --preset unreal --basis smooth --size 127x127 \
  --range 0,1 -o mine.r16 --backend "$backend"
echo mine >mine.vrt
expect 3 "'mine.vrt' exists already and does not belong to this set" export --basis smooth --size 8x8 --tiles 2x2 \
  -o mine.r32 --backend "$backend"
[ "$(cat mine.json mine.vrt)" = '{"mine": 1}
mine' ] && [ "$(ls mine*)" = 'mine.json
mine.vrt' ] || fail "refused exports left or changed: $(ls mine*)"

# ---- shards ----
mkdir shards all
for n in 0 1 2; do
  (cd shards && "$terrane" export --backend "$backend" --basis smooth --size 32x32 --tiles 4x2 --shard $n/3 \
    -o s.r32 2>/dev/null) || fail "shard $n/3"
done
(cd all && write --size 32x32 --tiles 4x2 -o s.r32 && rm out err)
diff -r shards all >log || fail "shards differ from all at once: $(cat log)"
rm -r shards; mkdir shards
for id in 5 7 9; do
  (cd shards && SLURM_ARRAY_TASK_ID=$id SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_STEP=2 \
    "$terrane" export --backend "$backend" --basis smooth --size 32x32 \
    --tiles 4x2 -o s.r32 2>err) || fail "task $id: $(cat shards/err)"
done
rm -f shards/err
diff -r shards all >log || fail "a job array differs from all at once: $(cat log)"
SLURM_ARRAY_TASK_ID=1 expect 2 "SLURM_ARRAY_TASK_COUNT" export --basis smooth --size 32x32 --tiles 4x2 -o z.r32
expect 2 "shard is '3/3', expected two integers I/N" export --basis smooth --size 32x32 --tiles 4x2 --shard 3/3 -o z.r32
expect 2 'shard is for sets of tiles' export --basis smooth --size 32x32 --shard 0/3 -o z.r32

# stopped KIB WORDS...   run an export that fails when a file grows larger than KIB kibibytes
stopped() { { (ulimit -f "$1"; shift; exec "$terrane" export --backend "$backend" --basis smooth "$@"); } >/dev/null \
  2>&1; }

# ---- one large raw file, stopped at 100 MB and resumed ----
for rows in north south; do
  stopped 100000 --size 6000x6000 --row-order $rows --resume -o l.r32
  [ -s l.r32.part ] && [ ! -e l.r32 ] || fail "nothing was kept of a stopped export: $(ls l.*)"
  write --size 6000x6000 --row-order $rows --resume -o l.r32
  kept=$(sed -n "s/.*'l.r32': \([0-9]*\) of 6000 rows are written and undamaged/\1/p" err)
  [ "${kept:-0}" -ge 2500 ] || fail "rows kept: '$kept' ($(cat err))"
  [ ! -e l.r32.part ] && [ ! -e l.r32.part.sums ] || fail "a part is left: $(ls l.*)"
  expect 0 '' export --verify l.r32 --backend "$backend"
  grep -q 'checksum right' out || fail "a resumed file: $(cat out err)"
  rm l.r32*
done
# damage in the unfinished file: the chunks before it are kept
stopped 250000 --size 6000x12000 --resume -o l.r32
[ "$(wc -l <l.r32.part.sums)" -ge 4 ] || fail "chunks of a stopped export: $(cat l.r32.part.sums)"
printf 'damage' | dd of=l.r32.part bs=1 seek=100000000 conv=notrunc 2>/dev/null
write --size 6000x12000 --resume -o l.r32
kept=$(sed -n "s/.*'l.r32': \([0-9]*\) of 12000 rows are written and undamaged/\1/p" err)
[ "${kept:-0}" -ge 2500 ] && [ "$kept" -lt 4200 ] || fail "rows kept of a damaged part: '$kept' ($(cat err))"
expect 0 '' export --verify l.r32 --backend "$backend"
# an unfinished file of another export or another program is neither used nor lost
stopped 100000 --size 6000x6000 --resume -o k.r32
cp k.r32.part kept; cp k.r32.part.sums kept.sums
expect 3 "'k.r32.part' does not belong to this job; --force replaces it" export --backend "$backend" --seed 8 \
  --basis smooth --size 6000x6000 --resume -o k.r32
cmp -s kept k.r32.part && cmp -s kept.sums k.r32.part.sums || fail "a part of another job was changed"
write --seed 8 --size 6000x6000 --resume --force -o k.r32
grep -q 'rows are written' err && fail "a part of another job was taken"
rm -f k.r32* kept*
echo precious >k.r32.part
expect 3 "does not belong to this job" export --backend "$backend" --basis smooth --size 64x64 --resume -o k.r32
[ "$(cat k.r32.part)" = precious ] || fail "a file of the user was lost"
rm -f k.r32* l.r32*

# two processes at once: one is refused, and file and sidecar are of the same world
for seed in 1 2; do "$terrane" export --backend "$backend" --basis smooth --size 3000x3000 --seed $seed \
  -o race.r32 >/dev/null 2>"race.$seed" & done
wait
[ "$(cat race.1 race.2 | grep -c "exists already; --force")" -eq 1 ] || fail "two exports at once: $(cat race.1 race.2)"
expect 0 '' export --verify race.r32 --backend "$backend"
for n in 1 2; do "$terrane" export --backend "$backend" --basis smooth --size 9000x9000 --resume \
  -o both.r32 >/dev/null 2>"both.$n" & done
wait
expect 0 '' export --verify both.r32 --backend "$backend"
[ -z "$(ls both.r32.part* 2>/dev/null)" ] || fail "two resumed at once left $(ls both*)"
rm -f race* both*

# interrupted by the user, in any format: no file is left
for format in r32 pgm png16 tiff exr; do
  case $format in png16) lacks 'PNG files' && continue ;; tiff) lacks TIFF && continue ;; exr) lacks OpenEXR &&
    continue ;; esac
  range=
  case $format in pgm | png16) range='--range 0,1' ;; esac
  # shellcheck disable=SC2086
  "$terrane" export --backend "$backend" --generator single-pass --basis midpoint --size 60000x60000 $range \
    --format $format -o slow.out >/dev/null 2>err &
  await_file slow.out
  kill -INT $! 2>/dev/null
  wait $!
  got=$?
  [ $got -eq 130 ] || [ "$backend" = cuda ] || fail "interrupted $format: exit status $got: $(cat err)"
  [ -z "$(ls slow* 2>/dev/null)" ] || [ $got -eq 0 ] || fail "an interrupted $format left $(ls slow*)"
  rm -f slow*
done

# ---- space, and dry runs ----
expect 3 'No space left on device \([0-9.]* [GT]iB needed' export --backend "$backend" --basis smooth \
  --size 10000000x10000000 -o huge.r32
expect 3 'No space left on device' export --backend "$backend" --basis smooth --size 1000000x1000000 --tiles 30x30 \
  --range 0,1 -o huge.r16
[ -z "$(ls huge* 2>/dev/null)" ] || fail "a refused export left $(ls huge*)"
write --size 1000x1000 --tiles 3x3 --dry-run -o dry.r32
grep -q '36000000 bytes of samples' out && grep -q '^files: 9, 36000000 bytes' out && grep -q '^time: about' out ||
  fail "--dry-run: $(cat out)"
[ -z "$(ls dry* 2>/dev/null)" ] || fail "--dry-run wrote $(ls dry*)"
expect 2 "expected --tiles CxR too" export --basis smooth --size 4x4 -o 'a{x}.r32'
expect 2 "expected both {x} and {y}" export --basis smooth --size 4x4 --tiles 2x2 -o 'a{x}.r32'
write --size 4x4 --tiles 2x2 -o '{x}_{y}.r32'
[ -s tiles.vrt ] || fail "a set without a name of its own: $(ls)"
expect 2 'something between' export --basis smooth --size 4x4 --tiles 12x12 -o 'l{x}1{y}.r32'
expect 2 "not in its folder's" export --basis smooth --size 4x4 --tiles 2x2 -o 'a{x}/b{y}.r32'
expect 2 'something between' export --basis smooth --size 4x4 --tiles 12x12 -o 'a{x}{y}.r32'
expect 2 'files for a set of tiles' export --basis smooth --size 4x4 --tiles 2x2 -o -
finish
