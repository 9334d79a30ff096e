#!/bin/bash
# test_features.sh TERRANE - lakes, coasts, catchments, contours and peaks agree with samples, and whole lakes and
# catchments do not depend on the rectangle; splines for engines pass through the points of rivers and never rise;
# interrupted features go on with --resume; bad requests are refused with a sentence.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
if ! "$terrane" export --features coast --size 16x16 -o try.geojson 2>err && grep -q 'GDAL was missing' err; then
  echo "skipped: this build has no GDAL" >&2
  exit 77
fi
lakes='--at -1077568,1939072 --lod 6 --size 224x224'
coast='--at -1123840,1548800 --lod 7 --size 160x160'
expect 0 'lakes: 1' export --features rivers,lakes,catchments,contours,peaks $lakes -o 'lakes_{feature}.geojson'
expect 0 '' export --layer height,water $lakes -o 'lakes_{layer}.r32'
expect 0 '' export --features coast,catchments,peaks $coast -o 'coast_{feature}.geojson'
expect 0 '' export $coast -o coast_height.r32
expect 0 '' export --features rivers,coast $coast -o coast.gpkg
for preset in unreal unity blender; do
  expect 0 '' export --preset $preset --features rivers $lakes -o $preset.json
done
expect 0 '' export --preset godot --features rivers $lakes -o godot.tres
[ -s unreal.py ] && [ -s unity.cs ] && [ -s godot.gd ] || fail "scripts of engines are missing: $(ls)"
python3 -m py_compile unreal.py blender.py || fail "scripts in Python"
python3 "$tests/test_features.py" || fail "features"
expect 0 'catchments: 1' export --features catchments $lakes --outlet "$(cat outlet)" -o one_catchments.geojson
python3 "$tests/test_features.py" outlet || fail "--outlet"
expect 0 '' export --features lakes,catchments --at -1081024,1935232 --lod 6 --size 295x301 -o 'wide_{feature}.geojson'
python3 "$tests/test_features.py" wide || fail "features of a larger rectangle"

expect 2 'format geojson holds one feature: expected \{feature\}' export --features rivers,coast --size 16x16 -o no.geojson
expect 2 'basis smooth has no rivers' export --basis smooth --features catchments --size 16x16 -o no.gpkg
expect 0 '' export --basis smooth --features coast,contours,peaks --size 16x16 --lod 4 -o smooth.gpkg
for feature in lakes catchments; do
  expect 2 'a rectangle of 19200000 x 576 lattice steps, expected at most 8257536 x 8257536' export \
    --features $feature --lod 6 --size 300000x9 -o no.gpkg
  expect 2 '300000 x 9 samples, expected 2x2 or more, at most 262144' export --features $feature --size 300000x9 -o no.gpkg
done
expect 2 '300000 x 9 samples, expected 2x2 or more, at most 262144' export --features coast --size 300000x9 -o no.gpkg
expect 2 '1 x 16 samples, expected 2x2' export --features coast --size 1x16 -o no.gpkg
expect 2 "interval is for contours and peaks" export --features coast --interval 5 --size 16x16 -o no.gpkg
expect 2 "min-area is for rivers, lakes and catchments" export --features coast --min-area 5 --size 16x16 -o no.gpkg
expect 2 "outlet is for catchments, --features is 'coast'" export --features coast --outlet 1,1 --size 9x9 -o no.gpkg
expect 2 'outlet is 9e9.*outside of the rectangle|outlet is 9000000000,1, which lies outside' export \
  --features catchments --outlet 9e9,1 --size 9x9 -o no.gpkg
expect 2 'meets no river before the sea' export --features catchments $coast --outlet -1123840,1548800 -o no.gpkg
expect 2 'expected --features catchments too' export --outlet 1,1 --size 9x9 -o no.r32
expect 2 'preset gdal has no splines' export --preset gdal --features rivers --size 16x16 -o no.json
expect 2 'takes --features rivers, not lakes' export --preset unity --features rivers,lakes --size 16x16 -o no.json
expect 2 'expected the ending .tres' export --preset godot --features rivers --size 16x16 -o no.json
expect 3 "'unity.json' exists already" export --preset unity --features rivers --size 16x16 -o unity.json
[ -z "$(ls | grep -E '^no|part')" ] || fail "refused exports have left files: $(ls)"

# ---- --resume: eight strips of samples ----
lacks checksums && finish && exit 0
export OGR_CURRENT_DATE=2000-01-01T00:00:00Z # a .gpkg contains the time at which it was written
stop() { # SIGNAL FILE   interrupt an export of $eight when its second strip is there
  "$terrane" export $eight --resume -o "$2" 2>err &
  await 60 has_more "$2.part" $((2 * strip)) || fail "no second strip: $(cat err)"
  kill "-$1" $!
  wait $! 2>/dev/null
  got=$?
  [ "$(ls ${2%%_*}_* | grep -v 'part-')" = "$2.part" ] || fail "after signal $1, an export left $(ls ${2%%_*}_*)"
}
go_on() { # FILE ROWS   continue it, and compare its files with those of WHOLE_...
  expect 0 "'$(sed 's/[{}]/\\&/g' <<<"$1")': ($2) of 2048 rows of samples are made and undamaged" export $eight --resume \
    -o "$1"
  local whole count=0
  for whole in whole_*; do
    cmp $whole "${1%%_*}_${whole#whole_}" || fail "$whole and the file of an export that was interrupted"
    count=$((count + 1))
  done
  [ "$(ls ${1%%_*}_* | wc -l)" = $count ] || fail "a resumed export left $(ls ${1%%_*}_*)"
}
all_of() { # NAME   interrupt exports to files i_NAME and k_NAME
  rm -f whole_* i_* k_*
  expect 0 '' export $eight -o "whole_$1"
  stop INT "i_$1"
  [ $got -eq 130 ] && grep -q "interrupted; 'i_$1.part' is kept, the same command continues it" err ||
    fail "an interrupted export: exit status $got, $(cat err)"
  expect 3 "part' does not belong to this job" export $eight $other --resume -o "i_$1"
  go_on "i_$1" '512|768|1024|1280|1536|1792'
  stop KILL "k_$1"
  [ $got -eq 137 ] || fail "a killed export: exit status $got"
  printf '\377' | dd of="k_$1.part" bs=1 seek=$(($(head -1 "k_$1.part" | wc -c) + strip + 9000)) conv=notrunc 2>/dev/null
  go_on "k_$1" 256 # a wrong byte in the second strip
}
other='--seed 9' # another export
eight="--features coast,contours,peaks --at -1123840,1548800 --lod 8 --size 32x2048"
strip=$((2 * 32 * 256 * 4)) # bytes; heights and water
all_of '{feature}.geojson'
other='--min-area 5' # has other owners
eight="--features lakes,catchments --at -1075200,1925888 --lod 5 --size 120x2048" # a lake lies in two strips
strip=$((3 * 120 * 256 * 4))                                                     # heights, water and owners
all_of '{feature}.geojson'
grep -q level_m whole_lakes.geojson && grep -q strahler whole_catchments.geojson || fail "no lakes or no catchments"
all_of all.gpkg
finish
