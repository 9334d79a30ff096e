#!/bin/bash
# test_guide_files.sh TERRANE - guides on the command line: a guide gives the same land from every format, set of
# tiles and world file; sidecars name it; wrong files and options are refused with a sentence.
set -u
terrane=$1 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
for thing in sidecars checksums 'world files'; do
  ! lacks "$thing" || { echo "skipped: this build lacks $thing" >&2; exit 77; }
done
/usr/bin/python3 -c 'import numpy' 2>/dev/null || { echo "skipped: numpy is missing" >&2; exit 77; }
/usr/bin/python3 - <<'END'
import json, numpy as np
y, x = np.mgrid[0:16, 0:16]
z = (900 - 40*x + 250*np.sin(x*1.7 + y) * np.cos(y*1.3)).astype('<f4')
np.save('g.npy', z)
z.tofile('g.r32')
json.dump({'width': 16, 'height': 16, 'sample_spacing_m': 2000, 'x': -1093272, 'z': 1906024}, open('g.r32.json', 'w'))
np.save('flat.npy', np.full((16, 16), np.nan, '<f4'))
np.save('bytes.npy', (z/8).clip(0, 255).astype('u1'))
np.save('line.npy', z[0])
END
guide="--guide g.npy --guide-spacing 2000" size="--size 40x40 --lod 7 --backend cpu"
expect 0 '' export $guide $size -o a.r32
expect 0 '' export --guide g.r32 $size -o b.r32
cmp -s a.r32 b.r32 || fail "the land of g.npy differs from that of g.r32"
expect 0 '' export $size -o none.r32
! cmp -s a.r32 none.r32 || fail "a guide changes nothing"
mkdir world && mv g.npy world && printf '[world]\nguide = g.npy\nguide_spacing = 2000\n' >world/w.ini
expect 0 '' export --world world/w.ini $size -o w.r32
cmp -s a.r32 w.r32 || fail "the land of a world file differs from that of options"
mv world/g.npy .
expect 0 '' export $guide --size 40x40 --tiles 2x2 --lod 7 --backend cpu -o 't_{x}_{y}.r32'
expect 0 '' probe $guide -- -1078272,1921024
grep -q '"guide"' a.r32.json && grep -q '"tables_sha256"' a.r32.json || fail "the sidecar does not name the guide"

# ---- sidecars ----
expect 0 '' export --verify a.r32 b.r32 w.r32
expect 0 'complete already' export $guide $size -o a.r32 --resume
expect 3 '' export --guide g.npy --guide-spacing 2001 $size -o a.r32 --resume
/usr/bin/python3 -c "import numpy as np; z = np.load('g.npy'); z[0, 0] += 1; np.save('g.npy', z)"
expect 3 'other heights than when' export --verify a.r32
rm g.npy
expect 3 "cannot read '.*g.npy'" export --verify a.r32

# ---- info ----
/usr/bin/python3 -c "
import numpy as np
z = np.add.outer(np.arange(12.0), np.arange(14.0)).astype('<f4') * 10 - 20
z[3, 4] = np.nan
np.save('i.npy', z)"
expect 0 '' info --guide i.npy --guide-spacing 2000 --guide-at 5000,-7000 --guide-level 5
grep -q '^guide: i\.npy$' out || fail "info does not name the guide: $(cat out)"
grep -q '^pixels: 14 x 12, 2000 m apart: 28 x 24 km$' out || fail "info: wrong pixels: $(cat out)"
grep -q '^place: .* at 5000,-7000 m, middle of the guide at 18000,4000 m$' out || fail "info: wrong place: $(cat out)"
grep -q '^heights: -20\.0 to 220\.0 m, 1\.8 % .* sea, 0\.6 % without data$' out ||
  fail "info: wrong heights: $(cat out)"
grep -q '^network: level 5, as given; cells of 4096 m' out || fail "info: wrong network: $(cat out)"
sha=$(/usr/bin/python3 -c "
import hashlib, numpy as np
z = np.load('i.npy')
z[np.isnan(z)] = np.frombuffer(b'\0\0\xc0\x7f', '<f4')[0]
print(hashlib.sha256(np.array([14, 12], '<i4').tobytes() + z.tobytes()).hexdigest())")
grep -qx "sha256: $sha" out || fail "info: wrong checksum, expected $sha: $(cat out)"
expect 0 '' info --guide i.npy --guide-spacing 2000 --guide-surround sea
grep -q '^network: level [1-8], chosen by measure' out && grep -q '^around: sea' out || fail "info: $(cat out)"
grep -q '^tables: .* sha256 [0-9a-f]\{64\}$' out || fail "info: no checksum of the tables: $(cat out)"
expect 3 'No such file' info --guide none.npy --guide-spacing 9

# ---- rasters beside the heights ----
# A raster with another number of pixels covers the same area. Its western half is 0 and its eastern half 1.
/usr/bin/python3 -c "
import numpy as np
z = np.zeros((4, 8), '<f4')
z[:, 4:] = 1
np.save('ice.npy', z)
np.save('grey.npy', (z * 255).astype('u1'))
np.save('high.npy', z * 2)
np.save('blank.npy', z * np.nan)
np.save('below.npy', z - 1)
np.save('land.npy', np.full((40, 40), 300, '<f4') + np.arange(40) * 10)"
beside="--guide land.npy --guide-spacing 2000 --guide-at 0,0 --guide-level 6"
layer_of() { od -An -v -tf4 "$1" | tr -s ' ' '\n' | sed '/^$/d' | awk '{ s += $1; n++ } END { printf "%.2f", s / n }'; }
for name in dryness ice plateau; do
  expect 0 '' export $beside --guide-$name ice.npy --lod 8 --size 32x32 --at 9984,29952 --layer $name -o west.r32 \
    --force
  expect 0 '' export $beside --guide-$name ice.npy --lod 8 --size 32x32 --at 59904,29952 --layer $name \
    -o east.r32 --force
  [ "$(layer_of west.r32) $(layer_of east.r32)" = '0.00 1.00' ] ||
    fail "$name: $(layer_of west.r32) $(layer_of east.r32)"
done
expect 0 '' export $beside --guide-ice grey.npy --lod 8 --size 32x32 --at 59904,29952 --layer ice -o grey.r32
[ "$(layer_of grey.r32)" = 1.00 ] || fail "a picture of ice: $(layer_of grey.r32)"
# Numbers of temperature are not scaled. They are temperatures at the heights of the guide.
/usr/bin/python3 -c "import numpy as np; np.save('warm.npy', (np.load('ice.npy') * 25).astype('i2'))"
for at in 9984,29952 59904,29952; do
  expect 0 '' export $beside --guide-temperature warm.npy --lod 8 --size 32x32 --at $at --layer temperature \
    -o warm.r32 --force
  layer_of warm.r32 >>warm
  echo >>warm
done
awk 'NR == 1 { a = $1 } NR == 2 { b = $1 } END { exit !(a > -0.5 && a < 0.5 && b > 24.5 && b < 25.5) }' warm ||
  fail "temperature: $(cat warm)"
expect 2 'precipitation of pixel (.*) of the guide is -1, expected 0 to 20000 mm a year' \
  probe $beside --guide-precipitation below.npy 0,0
expect 0 '' export $beside --guide-ice ice.npy $size -o ice.r32
grep -q '"ice":[[:space:]]*{' ice.r32.json || fail "the sidecar does not name the raster"
expect 0 '' export --verify ice.r32
printf '[world]\nguide = land.npy\nguide_spacing = 2000\nguide_at = 0,0\nguide_ice = ice.npy\n' >ice.ini
expect 0 '' export --world ice.ini $size -o file.r32
cmp -s ice.r32 file.r32 || fail "a world file with a raster makes other land"
expect 2 'ice of pixel (.*) of the guide is 1.2, expected 0 to 1' probe $beside --guide-ice high.npy 0,0
expect 2 "guide-ice .*blank.npy.* has no value within the guide" probe $beside --guide-ice blank.npy 0,0
expect 3 "cannot read '.*absent.npy'" probe $beside --guide-relief absent.npy 0,0
cp ice.npy before-ice.npy && cp high.npy ice.npy
expect 3 'has a guide: .*expected 0 to 1' export --verify ice.r32
/usr/bin/python3 -c "import numpy as np; np.save('ice.npy', np.load('before-ice.npy') * 0.5)"
expect 3 'has other values than when' export --verify ice.r32

# ---- cache ----
# Tables are kept in a file and read again. They are made again if the file is damaged, foreign or cannot be written.
cached="--guide i.npy --guide-spacing 2000 --guide-level 5"
tables_of() { grep '^tables:' out; }
expect 0 '' info $cached && made=$(tables_of)
[ -z "$(ls i.npy.*.tables 2>/dev/null)" ] || fail "a cache is written without --guide-cache"
expect 0 '' info $cached --guide-cache
[ ! -s err ] || fail "the first use of a cache says: $(cat err)"
file=$(ls i.npy.*.tables) && cp "$file" first && cp i.npy before.npy
expect 0 '' info $cached --guide-cache
[ "$(tables_of)" = "$made" ] && [ ! -s err ] && cmp -s "$file" first || fail "a cache is not read: $(cat out err)"
expect 0 '' export $cached $size -o made.r32
expect 0 '' export $cached $size --guide-cache -o read.r32
cmp -s made.r32 read.r32 && [ "$(sed "s,made.r32,read.r32," made.r32.json)" = "$(cat read.r32.json)" ] ||
  fail "land from a cache differs"
# Tables that are read are not made: a cache whose tables would take minutes is used at once; see test_guide.c.
expect 0 '' info $cached --seed 5 --guide-cache
[ "$(ls i.npy.*.tables | wc -l)" -eq 2 ] || fail "another world has no cache of its own: $(ls)"
for damage in byte cut long empty foreign; do
  cp first "$file"
  case $damage in
    byte) printf 'x' | dd of="$file" bs=1 seek=5000 conv=notrunc 2>/dev/null ;;
    cut) head -c 3000 first >"$file" ;;
    long) echo >>"$file" ;;
    empty) : >"$file" ;;
    foreign) cat g.r32 g.r32 >"$file" ;;
  esac
  expect 0 "the tables in '$file' are not used and made anew: " info $cached --guide-cache
  [ "$(tables_of)" = "$made" ] && cmp -s "$file" first || fail "a cache with a fault ($damage) is not made anew"
done
cp "$(ls i.npy.*.tables | grep -vx "$file")" "$file"
expect 0 'belong to another guide, other parameters or another version' info $cached --guide-cache
cmp -s "$file" first || fail "the cache of another world is not made anew"
printf 'x' >"$file"
expect 0 '' info $cached --guide-cache --quiet
[ ! -s err ] || fail "--quiet info says: $(cat err)"
rm "$file" && mkdir "$file"
expect 0 "the tables are not kept in '$file'" info $cached --guide-cache
[ "$(tables_of)" = "$made" ] || fail "without a cache other tables are made"
rmdir "$file"
cp first elsewhere && ln -s elsewhere "$file"
expect 0 '' info $cached --guide-cache
cmp -s elsewhere first && cmp -s i.npy before.npy || fail "the cache has changed another file"
rm "$file"
mkdir closed && cp i.npy closed && chmod 555 closed
if ! touch closed/x 2>/dev/null; then
  expect 0 'the tables are not kept' info --guide closed/i.npy --guide-spacing 2000 --guide-level 5 --guide-cache
fi
chmod 755 closed
[ -z "$(ls | grep part-)" ] || fail "a temporary file stays: $(ls)"
expect 2 'guide-cache has no meaning without a guide' probe --guide-cache 0,0

# ---- coordinate systems ----
# A projected guide puts exports on the Earth: GeoTIFF, .vrt, .pgw and ENVI headers; another spacing does not.
if ! lacks guides && ! lacks TIFF && command -v gdalinfo gdal_translate >missing; then
  /usr/bin/python3 - <<'END'
import numpy as np
z = np.round(np.load('i.npy'))
z[3, 4] = -999
with open('p.asc', 'w') as f:
    f.write('ncols 14\nnrows 12\nxllcorner 600000\nyllcorner 5100000\ncellsize 2000\nNODATA_value -999\n')
    np.savetxt(f, z, '%d')
END
  gdal_translate -q -a_srs EPSG:32632 p.asc p.tif
  placed="--guide p.tif --guide-level 5 --guide-at 5000,-7000"
  expect 0 '' info $placed
  grep -q '^on the Earth: EPSG:32632, north-western pixel at east 601000, north 5123000$' out ||
    fail "info: no place on the Earth: $(cat out)"
  # the land 2 km east and 4 km south of the middle of the north-western pixel, samples 64 m apart
  expect 0 '' export $placed --at 7040,-3008 --size 20x20 --lod 6 --backend cpu -o e.tif
  gdalinfo e.tif >facts
  grep -q 'ID\["EPSG",32632\]' facts && grep -q '^Origin = (603008.0*,5119040.0*)$' facts &&
    grep -q '^Pixel Size = (64.0*,-64.0*)$' facts || fail "e.tif lies elsewhere: $(cat facts)"
  grep -q '"crs":[[:space:]]*"EPSG:32632"' e.tif.json || fail "the sidecar does not name the coordinate system"
  expect 0 '' export --verify e.tif
  expect 0 'complete already' export $placed --at 7040,-3008 --size 20x20 --lod 6 --backend cpu -o e.tif --resume
  expect 0 '' export $placed --at 7040,-3008 --size 20x20 --tiles 2x2 --lod 6 --backend cpu -o 'e_{x}_{y}.tif'
  gdalinfo e.vrt >facts
  grep -q 'ID\["EPSG",32632\]' facts && grep -q '^Origin = (603008.0*,5119040.0*)$' facts ||
    fail "the .vrt lies elsewhere: $(cat facts)"
  expect 0 '' export $placed --at 7040,-3008 --size 20x20 --lod 6 --backend cpu -o e.png
  [ "$(tail -2 e.pgw | tr '\n' ' ')" = '603040 5119008 ' ] || fail "e.pgw lies elsewhere: $(cat e.pgw)"
  expect 0 '' export $placed --guide-spacing 1000 --at 7040,-3008 --size 20x20 --lod 6 --backend cpu -o n.tif
  gdalinfo n.tif | grep -q 'EPSG",32632' && fail "a guide of another spacing lies on the Earth"
fi

# ---- refusals ----
# Each is refused by every command before anything is written.
/usr/bin/python3 - <<'END'
import numpy as np
def header(shape, text=b''):
    h = ("{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % (shape,)).ljust(117) + '\n'
    return b'\x93NUMPY\1\0' + len(h).to_bytes(2, 'little') + h.encode() + text
np.save('flat.npy', np.full((16, 16), np.nan, '<f4'))
np.save('pixel.npy', np.zeros((1, 1), '<f4'))
np.save('row.npy', np.zeros((1, 16), '<f4'))
np.save('high.npy', np.full((4, 4), 30000, '<f4'))
np.save('infinite.npy', np.full((4, 4), np.inf, '<f4'))
np.save('text.npy', np.full((4, 4), 'x'))
np.save('wide.npy', np.zeros((2, 8193), '<f4'))
open('huge.npy', 'wb').write(header((1 << 62, 1 << 62)))
open('torn.npy', 'wb').write(header((4, 4), bytes(40)))
open('words.npy', 'w').write('no heights here')
open('empty.npy', 'w')
open('words.tif', 'w').write('no raster here')
END
refused() { # STATUS SENTENCE WORD...   the same refusal by three commands, without a file
  local status=$1 sentence=$2
  shift 2
  expect "$status" "$sentence" probe "$@" 0,0
  expect "$status" "$sentence" info "$@"
  expect "$status" "$sentence" export "$@" --size 4x4 --lod 7 -o refused.r32
  [ ! -e refused.r32 ] && [ ! -e refused.r32.json ] || fail "$*: a refused export leaves a file"
}
spaced="--guide-spacing 900"
refused 3 "'none.npy': No such file" --guide none.npy $spaced
refused 3 "cannot read 'world'" --guide world $spaced
refused 3 'is not an array of NumPy' --guide words.npy $spaced
refused 3 'is not an array of NumPy' --guide empty.npy $spaced
refused 3 'numbers of another type, expected float32' --guide text.npy $spaced
refused 3 'has 168 bytes, expected 192 for 4 x 4 numbers' --guide torn.npy $spaced
refused 2 "flat.npy': no pixel of the guide has a height" --guide flat.npy $spaced
refused 3 'has 1 x 1 pixels, expected 2 to 8192 a side' --guide pixel.npy $spaced
refused 3 'has 16 x 1 pixels, expected 2 to 8192 a side' --guide row.npy $spaced
refused 3 'has 8193 x 2 pixels, expected 2 to 8192 a side' --guide wide.npy $spaced
refused 3 'pixels, expected 2 to 8192 a side' --guide huge.npy $spaced
refused 2 'height of pixel \(0, 0\) of the guide is 30000, expected -20000 to 20000 m' --guide high.npy $spaced
refused 2 'height of pixel \(0, 0\) of the guide is inf' --guide infinite.npy $spaced
refused 2 'guide-range LO,HI' --guide bytes.npy $spaced
refused 2 'guide-range is 0,30000, expected heights of at most 20000 m' --guide bytes.npy --guide-range 0,30000 $spaced
refused 2 'LO below HI' --guide bytes.npy --guide-range 900,0 $spaced
refused 3 'rows and columns' --guide line.npy $spaced
refused 2 'guide-spacing M says it' --guide bytes.npy --guide-range 0,900
refused 2 'expected --guide FILE' --guide-level 5
refused 2 'expected a number from 1 to 32768' --guide i.npy --guide-spacing 0.5
refused 2 'expected a number from 1 to 32768' --guide i.npy --guide-spacing 32769
refused 2 'expected a number from 1 to 32768' --guide i.npy --guide-spacing nan
refused 2 'expected an integer from 0 to 8' --guide i.npy $spaced --guide-level 9
refused 2 'expected a number from 0 to 10000' --guide i.npy $spaced --guide-lakes=-1
refused 2 'expected a number from 0 \(excluded\) to 1000' --guide i.npy $spaced --guide-vertical 0
refused 2 'expected endless or sea' --guide i.npy $spaced --guide-surround ocean
refused 2 'expected two integers X,Z' --guide i.npy $spaced --guide-at 5
refused 2 'fluvial' --basis smooth --guide i.npy $spaced
refused 2 'it leaves the world' --guide i.npy $spaced --guide-at 70368744177664,0
refused 2 'lattice steps apart, expected 1 to' --guide i.npy --guide-spacing 1 --spacing 100
head -c 900 g.r32 >short.r32 && cp g.r32.json short.r32.json
refused 3 'expected 1024 for 16 x 16 floats' --guide short.r32
cp g.r32 alone.r32
refused 3 'alone.r32?\.json.*No such file' --guide alone.r32
cp g.r32 big.r32 && echo '{"width": 1e9, "height": 16, "sample_spacing_m": 9}' >big.r32.json
refused 3 'has no width and height' --guide big.r32
cp g.r32 far.r32 && echo '{"width": 16, "height": 16, "sample_spacing_m": 9e9}' >far.r32.json
refused 2 'spacing of the guide is 9e\+09, expected 1 to 32768 m' --guide far.r32
cp g.r32 south.r32 && echo '{"width": 16, "height": 16, "row_order": "south"}' >south.r32.json
refused 3 'begins in the south' --guide south.r32 $spaced
lacks guides || {
  asc() { # NAME CELL EXTRA
    { printf 'ncols 4\nnrows 4\nxllcorner %s\nyllcorner 5000000\ncellsize %s\nNODATA_value -9999\n' "$3" "$2"
      for n in 1 2 3 4; do echo "$n 2 3 4"; done; } >"$1.asc"
  }
  asc degrees 0.01 10
  echo 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],
UNIT["degree",0.0174532925199433]]' | tr -d '\n' >degrees.prj
  refused 3 'has coordinates in degrees, expected metres; reproject it: gdalwarp -t_srs EPSG:326ZZ' --guide degrees.asc
  asc fine 0.25 0
  refused 2 'spacing of the guide is 0.25, expected 1 to 32768 m' --guide fine.asc
  refused 3 "cannot read 'words.tif' as a raster" --guide words.tif $spaced
  { printf 'ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 900\nNODATA_value 7\n'
    for n in 1 2 3 4; do echo "7 7 7 7"; done; } >nodata.asc
  refused 2 'no pixel of the guide has a height' --guide nodata.asc
  printf '500 0 0 -600 0 0' | tr ' ' '\n' >words.tfw
  /usr/bin/python3 -c "
import struct, zlib
def chunk(kind, text): return struct.pack('>I', len(text)) + kind + text + struct.pack('>I', zlib.crc32(kind + text))
rows = b''.join(b'\0' + bytes(range(4)) for n in range(4))
open('p.png', 'wb').write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 4, 4, 8, 0, 0, 0, 0)) +
  chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
open('p.pgw', 'w').write('500\n0\n0\n-600\n0\n0\n')"
  refused 3 "pixels of 'p.png' are turned, or not square \(500 x 600\)" --guide p.png --guide-range 0,900
}
finish
