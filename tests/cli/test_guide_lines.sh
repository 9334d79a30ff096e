#!/bin/bash
# test_guide_lines.sh TERRANE - rivers of guides on the command line: lines of files in the coordinates of the world, of
# the guide's file and in degrees give the same land; sidecars and --resume know them; what cannot be used is refused.
set -u
terrane=$1 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
for thing in sidecars checksums 'world files' guides; do
  ! lacks "$thing" || { echo "skipped: this build lacks $thing" >&2; exit 77; }
done
/usr/bin/python3 -c 'import numpy' 2>/dev/null || { echo "skipped: numpy is missing" >&2; exit 77; }
/usr/bin/python3 - <<'END'
import json, numpy as np
y, x = np.mgrid[0:20, 0:20]
np.save('g.npy', (900 - 10 * x + 5 * y).astype('<f4'))
def save(name, lines, width=None, **more):
    features = [{'type': 'Feature', 'properties': {} if width is None else {'width': width},
                 'geometry': {'type': 'LineString', 'coordinates': line}} for line in lines]
    json.dump({'type': 'FeatureCollection', 'features': features, **more}, open(name, 'w'))
course = [(1, 3), (6, 12), (9, 5), (15, 15), (18, 10)]  # pixels
world = [[(500 * a, -500 * b) for a, b in course]]
save('w.geojson', world, 50)
save('narrow.geojson', world, 10)
save('mine.geojson', [[(600250 + 500 * a, 5109750 - 500 * b) for a, b in course]], 50)
save('out.geojson', [[(500, -500), (500, -10000)]])
save('wide.geojson', world, 400)
save('degrees.geojson', [[(9, 45), (9.1, 45.1)]])
save('none.geojson', [])
json.dump({'type': 'Point', 'coordinates': [500, -500]}, open('point.geojson', 'w'))
open('words.geojson', 'w').write('no lines here')
with open('p.asc', 'w') as f:
    f.write('ncols 20\nnrows 20\nxllcorner 600000\nyllcorner 5100000\ncellsize 500\n')
    np.savetxt(f, np.load('g.npy'), '%g')
END
guide="--guide g.npy --guide-spacing 500 --guide-at 0,0" size="--at 1024,1024 --size 48x48 --lod 7 --backend cpu"
expect 0 '' export $guide $size -o none.r32
expect 0 '' export $guide --guide-rivers w.geojson $size -o a.r32
! cmp -s a.r32 none.r32 || fail "rivers change nothing"
grep -q '"rivers":[[:space:]]*{' a.r32.json || fail "the sidecar does not name the rivers"
printf '[world]\nguide = g.npy\nguide_spacing = 500\nguide_at = 0,0\nguide_rivers = w.geojson\n' >w.ini
expect 0 '' export --world w.ini $size -o file.r32
cmp -s a.r32 file.r32 || fail "a world file with rivers makes other land"
expect 0 '' info $guide --guide-rivers w.geojson
grep -q '^rivers: 1 lines, [1-9][0-9]* nodes on them, up to [0-9.]* m below the guide$' out || fail "info: $(cat out)"
expect 0 '' info $guide --guide-endorheic 100
grep -q '^basins: 0 without an outlet$' out || fail "info: $(cat out)"

# ---- coordinates ----
# The same line in the coordinates of the guide's file, as another format, and in degrees.
if command -v gdal_translate ogr2ogr >missing; then
  gdal_translate -q -a_srs EPSG:32632 p.asc p.tif
  placed="--guide p.tif --guide-at 0,0"
  expect 0 '' export $placed --guide-rivers mine.geojson $size -o mine.r32
  cmp -s a.r32 mine.r32 || fail "a line in the coordinates of the guide makes other land"
  ogr2ogr -a_srs EPSG:32632 mine.gpkg mine.geojson
  expect 0 '' export $placed --guide-rivers mine.gpkg $size -o mine.r32 --force
  cmp -s a.r32 mine.r32 || fail "a GeoPackage makes other land than GeoJSON"
  ogr2ogr -t_srs EPSG:4326 -s_srs EPSG:32632 -lco COORDINATE_PRECISION=12 turned.geojson mine.geojson
  expect 0 '' export $placed --guide-rivers turned.geojson $size -o mine.r32 --force
  /usr/bin/python3 -c "
import numpy as np
a, b = (np.fromfile(f, '<f4') for f in ('a.r32', 'mine.r32'))
assert np.median(np.abs(a - b)) < 0.5, np.median(np.abs(a - b))" || fail "a line in degrees makes other land"
  expect 3 'degrees.geojson. has coordinates in degrees, and the guide has no coordinate system' \
    probe $guide --guide-rivers degrees.geojson 0,0
fi

# ---- sidecars ----
expect 0 '' export --verify a.r32 file.r32
expect 0 'complete already' export $guide --guide-rivers w.geojson $size -o a.r32 --resume
expect 3 '' export $guide --guide-rivers narrow.geojson $size -o a.r32 --resume
cp w.geojson kept.geojson && cp narrow.geojson w.geojson
expect 3 'has other rivers than when' export --verify a.r32
rm w.geojson
expect 3 "cannot read lines of '.*w.geojson'" export --verify a.r32
mv kept.geojson w.geojson

# ---- refusals ----
refused() { # STATUS SENTENCE WORD...
  local status=$1 sentence=$2
  shift 2
  expect "$status" "$sentence" export $guide "$@" --size 4x4 --lod 7 -o refused.r32
  [ ! -e refused.r32 ] && [ ! -e refused.r32.json ] || fail "$*: a refused export leaves a file"
}
refused 2 'vertex 1 of river 0 lies at 500,10000 m and leaves the guide, expected 0,0 to 9500,9500 m; cut its line' \
  --guide-rivers out.geojson
refused 2 'width of river 0 of the guide is 400, expected 0 to 320 m' --guide-rivers wide.geojson
refused 3 'guide-rivers .none.geojson. has no lines' --guide-rivers none.geojson
refused 3 'guide-rivers .point.geojson. has no lines' --guide-rivers point.geojson
refused 3 "cannot read lines of 'words.geojson'" --guide-rivers words.geojson
refused 3 "cannot read lines of 'absent.gpkg'" --guide-rivers absent.gpkg
refused 2 'expected a number from 0 to 10000' --guide-endorheic=-1
expect 2 'guide-rivers has no meaning without a guide' probe --guide-rivers w.geojson 0,0
finish
