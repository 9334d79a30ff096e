#!/bin/bash
# test_gis.sh TERRANE - files with a coordinate system of the Earth, cloud-optimised GeoTIFF and Arc ASCII grids are
# read by GDAL at the right place and with the right samples; wrong systems are refused.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
if lacks sidecars || lacks checksums; then echo "skipped: this build has no JSON, or no checksums" >&2; exit 77; fi
if ! command -v gdalinfo >/dev/null; then echo "skipped: gdalinfo is missing: gdal-bin" >&2; exit 77; fi
world=(--basis smooth --at 64,-128)

# ---- Arc ASCII grids ----
expect 0 '' export "${world[@]}" --size 70x50 -o a.asc
expect 0 '' export "${world[@]}" --size 70x50 -o a.r32
[ "$(head -5 a.asc | tr '\n' ' ')" = 'ncols 70 nrows 50 xllcenter 64 yllcenter 79 cellsize 1 ' ] ||
  fail "$(head -5 a.asc)"
expect 0 '' export --verify a.asc
sed '6s/[0-9]\./7./' a.asc >b.asc && cp a.asc.json b.asc.json
expect 1 "samples differ, first column 0 of row 0" export --verify b.asc
head -40 a.asc >b.asc
expect 3 "too few rows, expected 50" export --verify b.asc
expect 2 'row-order south is not for format asc' export "${world[@]}" --size 7x5 --row-order south -o n.asc
gdal_translate -q -of ENVI a.asc g.bin && cmp -s g.bin a.r32 || fail "GDAL reads other heights from the ASCII grid"

# ---- cloud-optimised GeoTIFF ----
expect 2 'tiles is .* not for cog' export "${world[@]}" --size 70x50 --format cog --tiles 2x2 -o 'n_{x}_{y}.tif'
if ! lacks 'TIFF files'; then
  expect 0 '' export "${world[@]}" --size 1300x700 --format cog -o c.tif
  expect 0 '' export --verify c.tif
  expect 0 '' export "${world[@]}" --size 1300x700 -o p.tif
  [ "$(gdalinfo -checksum c.tif | grep Checksum)" = "$(gdalinfo -checksum p.tif | grep Checksum)" ] ||
    fail "samples of the COG"
  gdalinfo c.tif | grep -q 'Overviews: 650x350, 325x175, 163x88' || fail "overviews: $(gdalinfo c.tif | grep Overviews)"
  for n in 0 1 2; do # an overview has the points of its own level, not means of finer ones
    gdal_translate -q -of ENVI -oo OVERVIEW_LEVEL=$n c.tif o.bin
    size=$(gdalinfo o.bin | sed -n 's/Size is \([0-9]*\), \([0-9]*\)/\1x\2/p')
    expect 0 '' export --force --basis smooth --at 64,-128 --lod $((n + 1)) --size "$size" -o o.r32
    cmp -s o.bin o.r32 || fail "overview $n has other heights than level of detail $((n + 1))"
  done
  expect 0 '' export --basis smooth --at 65,-127 --size 600x300 --format cog -o odd.tif
  expect 0 '' export --basis smooth --at 66,-126 --lod 1 --size 300x150 -o odd.r32
  gdal_translate -q -of ENVI -oo OVERVIEW_LEVEL=0 odd.tif o.bin && cmp -s o.bin odd.r32 ||
    fail "an overview of a file at an odd place lacks the nearest points of its level"
  validator=osgeo_utils.samples.validate_cloud_optimized_geotiff
  for python in python3 /usr/bin/python3; do
    "$python" -c "import $validator" 2>/dev/null || continue
    "$python" -m $validator -q c.tif 2>/dev/null >valid || fail "GDAL's validator: $(cat valid)"
    break
  done
  expect 0 '' export "${world[@]}" --size 300x200 --format cog --dry-run -o n.tif
fi

# ---- coordinate systems ----
if lacks GDAL; then
  expect 2 'this build cannot look up' export "${world[@]}" --size 7x5 --crs EPSG:25832 -o n.r32
  finish
  exit
fi
crs=(--crs EPSG:25832 --origin 500000,5300000)
for file in a.png a.r32 a.r16 a.asc m.png $(lacks 'TIFF files' || echo a.tif c.tif); do
  format=()
  case $file in m.png) format=(--format map); lacks 'the viewer' && continue ;; c.tif) format=(--format cog) ;; esac
  [ $file = a.png ] && lacks 'PNG files' && continue
  expect 0 '' export --force "${world[@]}" --size 70x50 "${crs[@]}" "${format[@]}" -o $file
  gdalinfo $file >facts
  grep -q 'ETRS89 / UTM zone 32N\|ETRS_1989_UTM_Zone_32N' facts ||
    fail "$file has no coordinate system: $(head -9 facts)"
  grep -q 'Origin = (500063.5000*,5300128.5000*)' facts || fail "$file lies elsewhere: $(grep Origin facts)"
  [ "$(figure epsg $file.json)" = 25832 ] || fail "sidecar of $file: $(cat $file.json)"
  [ $file = m.png ] || expect 0 '' export --verify $file
done
[ -s m.pgw ] || lacks 'the viewer' || fail "the map has no .pgw"
expect 0 '' export --force "${world[@]}" --size 70x50 -o a.asc # no coordinate system: the old .prj is removed
[ ! -e a.prj ] || fail "a.prj of an older file is left"
expect 0 '' export "${world[@]}" --size 70x50 --crs epsg:2263 -o feet.asc # US survey feet
grep -q 'cellsize 3.28083333' feet.asc || fail "feet: $(head -5 feet.asc)"
if ! lacks 'TIFF files'; then
  gdalwarp -q -t_srs EPSG:4326 a.tif w.tif && gdalinfo w.tif | grep -q 'Upper Left.*( *9.00' ||
    fail "gdalwarp: $(gdalinfo w.tif)"
  expect 0 '' export "${world[@]}" --size 70x50 --layer height,slope -o 's_{layer}.tif'
  gdaldem slope -q s_height.tif g.tif
  for at in '1 1' '30 20' '68 48'; do # degrees, within 0.001
    a=$(gdallocationinfo -valonly s_slope.tif $at) b=$(gdallocationinfo -valonly g.tif $at)
    awk -v a="$a" -v b="$b" 'BEGIN { exit a - b > 0.001 || b - a > 0.001 || a < 0.01 }' ||
      fail "slope $a, of gdaldem $b"
  done
fi
expect 2 "crs is 'EPSG:4326', which is no projected .* expected" export "${world[@]}" --size 7x5 --crs EPSG:4326 \
  -o n.r32
expect 2 "crs is 'EPSG:2046', whose axes" export "${world[@]}" --size 7x5 --crs EPSG:2046 -o n.r32
expect 2 "crs is 'EPSG:12345', which PROJ does not know" export "${world[@]}" --size 7x5 --crs EPSG:12345 -o n.r32
for wrong in utm EPSG: EPSG:25832x EPSG:99999 EPSG:-1; do
  expect 2 "crs is '$wrong', expected EPSG:N" export "${world[@]}" --size 7x5 --crs $wrong -o n.r32
done
expect 2 'origin is for .* expected --crs' export "${world[@]}" --size 7x5 --origin 1,2 -o n.r32
[ ! -e n.r32 ] || fail "a refused export has written a file"
finish
