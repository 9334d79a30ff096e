#!/bin/bash
# test_guide_places.sh TERRANE - a georeferenced raster beside a guide lies where its file says: it gives the same
# tables as an array that has its values at the guide's pixels. Rasters of other places and coordinate systems are
# refused.
set -u
terrane=$1 backend=cpu
. "$(dirname "$0")/../tools/shell.sh"
! lacks guides || { echo "skipped: this build lacks guides" >&2; exit 77; }
/usr/bin/python3 -c 'import numpy' 2>/dev/null || { echo "skipped: numpy is missing" >&2; exit 77; }
command -v gdal_translate >missing || { echo "skipped: gdal_translate is missing" >&2; exit 77; }
/usr/bin/python3 - <<'END'
import numpy as np

def save(name, east, south, pixel, z):  # east, south: the corner in the south-west
    with open(name, 'w') as f:
        f.write(f'ncols {z.shape[1]}\nnrows {z.shape[0]}\nxllcorner {east}\nyllcorner {south}\ncellsize {pixel}\n')
        f.write('nodata_value -9999\n')
        np.savetxt(f, z, '%g')

y, x = np.mgrid[0:20, 0:24]
guide = (900 - 10 * x + 5 * y).astype('<f4')
save('guide.asc', 600000, 5100000, 500, guide)
np.save('guide.npy', guide)
# Pixels of 1000 m from the middle of the guide to 6 km beyond its corner in the south-east.
y, x = np.mgrid[0:11, 0:12]
ice = ((x + 2 * y) % 8 / 8).astype('<f4')
ice[2, 3] = np.nan
save('ice.asc', 606000, 5094000, 1000, np.nan_to_num(ice, nan=-9999))
np.save('stretched.npy', ice)
save('far.asc', 700000, 5100000, 1000, np.ones((4, 4)))
u, v = (np.arange(24) * 500 + 250 - 6500) / 1000, (np.arange(20) * 500 + 250 - 5500) / 1000  # pixels of the ice
i, j = np.clip(u, 0, 11), np.clip(v, 0, 10)
i0, j0 = np.minimum(i.astype(int), 10), np.minimum(j.astype(int), 9)
a, b = i - i0, (j - j0)[:, None]
row = lambda k: np.where(a > 0, ice[np.ix_(k, i0)] * (1 - a) + ice[np.ix_(k, i0 + 1)] * a, ice[np.ix_(k, i0)])
values = np.where(b > 0, row(j0) * (1 - b) + row(j0 + 1) * b, row(j0))
values[:, u < -0.5] = np.nan
values[v < -0.5] = np.nan
np.save('values.npy', values.astype('<f4'))
END
for file in guide ice far; do gdal_translate -q -a_srs EPSG:32632 $file.asc $file.tif; done
gdal_translate -q -a_srs EPSG:25833 ice.asc other.tif
placed="--guide guide.tif --guide-at 0,0 --guide-level 6"
tables() { # WORD...   print the checksum of the tables
  expect 0 '' info "$@"
  sed -n 's/^tables: .*sha256 //p' out
}
want=$(tables $placed --guide-ice values.npy)
[ -n "$want" ] || fail "no checksum of the tables: $(cat out)"
for ice in ice.tif ice.asc; do
  [ "$(tables $placed --guide-ice $ice)" = "$want" ] || fail "$ice does not lie where its file says"
done
[ "$(tables --guide guide.asc --guide-at 0,0 --guide-level 6 --guide-ice other.tif)" = "$want" ] ||
  fail "without a number of the guide's system, places are not used"
closer=$(tables $placed --guide-spacing 250 --guide-ice values.npy)
[ -n "$closer" ] && [ "$(tables $placed --guide-spacing 250 --guide-ice ice.tif)" = "$closer" ] ||
  fail "another spacing moves the raster"
# A raster of a file without coordinates, or beside a guide without coordinates, covers the guide.
stretched=$(tables $placed --guide-ice stretched.npy)
[ "$stretched" != "$want" ] || fail "the raster has no effect"
bare="--guide guide.npy --guide-spacing 500 --guide-at 0,0 --guide-level 6"
[ "$(tables $bare --guide-ice ice.tif)" = "$stretched" ] ||
  fail "a raster beside a guide without coordinates does not cover it"
expect 2 'guide-ice .*far.tif.* has no value within the guide' probe $placed --guide-ice far.tif 0,0
expect 2 'guide-ice .*other.tif.* is in EPSG:25833, expected EPSG:32632, .*gdalwarp -t_srs EPSG:32632' \
  probe $placed --guide-ice other.tif 0,0
finish
