#!/bin/bash
# test_rivers.sh TERRANE - rivers as lines. Reaches form a graph that ends in lakes, the sea or a basin, or leaves the
# window. Water levels fall downstream. Reaches have the same id, values and points in two windows. An interrupted
# export goes on with --resume, and gives the same file. Bad requests are refused with a sentence.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
if ! "$terrane" export --features rivers --size 16x16 -o try.geojson 2>err && grep -q 'GDAL was missing' err; then
  echo "skipped: this build has no GDAL" >&2
  exit 77
fi
expect 0 '' export --features rivers --at -1078272,1921024 --lod 5 --size 448x448 -o a.geojson
expect 0 '' export --features rivers --at -1072128,1926144 --lod 5 --size 448x448 -o b.geojsonl
expect 0 '' export --features rivers --at -1078272,1921024 --lod 5 --size 448x448 --min-area 20 -o large.geojson
expect 0 '' export --features rivers --at -1078272,1921024 --lod 5 --size 448x448 --min-area 20 -o large.gpkg
expect 0 '' export --features rivers --at -1078272,1921024 --lod 5 --size 448x448 --min-area 20 --crs EPSG:25832 \
  --origin 1600000,7200000 -o placed.geojson
[ "$(head -c 15 large.gpkg)" = 'SQLite format 3' ] || fail "large.gpkg is no GeoPackage"
python3 "$tests/test_rivers.py" a.geojson b.geojsonl large.geojson placed.geojson || fail "reaches"

expect 3 "'a.geojson' exists already; --force replaces it" export --features rivers --size 16x16 -o a.geojson
expect 0 '' export --features rivers --size 16x16 -o a.geojson --force
expect 2 'basis smooth has no rivers; basis fluvial has' export --basis smooth --features rivers --size 16x16 -o c.gpkg
expect 2 'expected at least 0.524288: smaller channels have no bed' \
  export --features rivers --min-area 0.1 --size 16x16 -o c.gpkg
expect 2 "expected one of|expected the ending .gpkg" export --features rivers --size 16x16 -o c.tif
expect 2 "expected --crs EPSG:N too" export --features rivers --origin 5,5 --size 16x16 -o c.gpkg
expect 2 'expected --features rivers too' export --size 16x16 -o c.gpkg
expect 2 'expected --features rivers too' export --size 16x16 --format fgb -o c
expect 2 'other options are for samples' export --features rivers --layer water --size 16x16 -o c.gpkg
expect 2 'a rectangle of .* lattice steps, expected at most' export --features rivers --lod 12 --size 4096x9 -o c.gpkg
expect 3 "cannot write 'none/c.gpkg': folder" export --features rivers --size 16x16 -o none/c.gpkg
for features in rivers,coast rivers,lakes,catchments; do
  expect 2 'resume is for --features rivers alone' export --features $features --size 16x16 --resume -o c.gpkg
done
expect 2 'resume is not for splines' export --preset unity --features rivers --size 16x16 --resume -o c.json
[ -z "$(ls | grep -E '^c|part')" ] || fail "refused exports have left files: $(ls)"

# ---- --resume: two squares ----
lacks checksums && finish && exit 0
two="--features rivers --at -1121792,1536512 --lod 9 --size 140x2"
expect 0 '' export $two -o whole.geojson
"$terrane" export $two --resume -o i.geojson 2>err &
await 60 has_more i.geojson.part 2000 # the first square is there
kill -INT $!
wait $!
got=$?
[ $got -eq 130 ] && grep -q "interrupted; 'i.geojson.part' is kept, the same command continues it" err ||
  fail "an interrupted export: exit status $got, $(cat err)"
[ "$(ls i.*)" = i.geojson.part ] || fail "an interrupted export left $(ls i.*)"
cp i.geojson.part d.geojson.part
cp i.geojson.part o.geojson.part
expect 0 "'i.geojson': 1 of 2 squares of rivers are written and undamaged" export $two --resume -o i.geojson
cmp whole.geojson i.geojson || fail "the file of an export that was interrupted"
[ "$(ls i.*)" = i.geojson ] || fail "a resumed export left $(ls i.*)"

# a part of another export, or of nobody
expect 3 "'o.geojson.part' does not belong to this job; --force replaces it" export $two --min-area 9 --resume \
  -o o.geojson
expect 3 "'o.geojson.part' does not belong to this job" export $two --seed 9 --resume -o o.geojson
cmp o.geojson.part d.geojson.part || fail "the part of another export was changed"
echo mine >m.geojson.part
expect 3 "'m.geojson.part': it is not terrane's; move it away" export $two --resume -o m.geojson
[ "$(cat m.geojson.part)" = mine ] || fail "another program's file was changed"
expect 3 "'i.geojson' exists already" export $two --resume -o i.geojson

# a part with a wrong byte in its first square is begun again; an export that is killed leaves its part
printf '\377' | dd of=d.geojson.part bs=1 seek=1500 conv=notrunc 2>/dev/null
"$terrane" export $two --resume -o d.geojson 2>err &
await 60 has_less d.geojson.part 1500
await 60 has_more d.geojson.part 2000
kill -KILL $!
wait $! 2>/dev/null
grep -q 'are written and undamaged' err && fail "a damaged square was kept: $(cat err)"
[ ! -e d.geojson ] && [ -e d.geojson.part ] || fail "a killed export left $(ls d.*)"
expect 0 '1 of 2 squares of rivers are written and undamaged' export $two --resume -o d.geojson
cmp whole.geojson d.geojson || fail "the file of an export that was killed"
[ "$(ls d.geojson*)" = d.geojson ] || fail "after a kill, a resumed export left $(ls d.geojson*)"
finish
