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

# ---- refusals ----
expect 3 'No such file' probe --guide none.npy --guide-spacing 9 0,0
expect 2 'no pixel of the guide has a value for height' probe --guide flat.npy --guide-spacing 900 0,0
expect 2 'guide-range LO,HI' probe --guide bytes.npy --guide-spacing 900 0,0
expect 3 'rows and columns' probe --guide line.npy --guide-spacing 900 0,0
expect 2 'guide-spacing M says it' probe --guide bytes.npy --guide-range 0,900 0,0
expect 2 'expected --guide FILE' probe --guide-level 5 0,0
expect 2 'expected a number from 1 to 32768' probe --guide g.r32 --guide-spacing 0.5 0,0
expect 2 'fluvial' probe --basis smooth --guide g.r32 0,0
expect 2 'leaves the world' probe --guide g.r32 --guide-at 70368744177664,0 0,0
head -c 900 g.r32 >short.r32 && cp g.r32.json short.r32.json
expect 3 'expected 1024 for 16 x 16 floats' probe --guide short.r32 0,0
finish
