#!/bin/bash
# test_rivers.sh TERRANE - rivers as lines. Reaches form a graph that ends in lakes, the sea or a basin, or leaves the
# window. Water levels fall downstream. Reaches have the same id, values and points in two windows. Bad requests are
# refused with a sentence.
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
[ -z "$(ls | grep -E '^c|part')" ] || fail "refused exports have left files: $(ls)"
finish
