#!/bin/bash
# test_fly.sh TERRANE PICTURE_CHECK [BACKEND] - headless flights: pictures, figures, cracks.
set -u
terrane=$1 check=$2
backend=${3:-cpu}
. "$(dirname "$0")/shell.sh"

fly() { "$terrane" fly --headless --backend "$backend" "$@" 2>err || fail "terrane fly $*: exit status $?: $(cat err)"; }

# a flight: picture, figures
fly --frames 20 --size 320x200 --quality low --screenshot a.png --stats a.json
"$check" a.png 320 200 0 200 || fail "picture of a flight"
[ "$(figure gl_errors a.json)" = 0 ] || fail "GL errors: $(figure first_gl_error a.json)"
[ "$(figure late_tiles a.json)" = 0 ] || fail "late tiles: $(figure late_tiles a.json)"
[ "$(figure frames a.json)" = 20 ] || fail "frames: $(figure frames a.json)"
awk -v c="$(figure min_clearance_m a.json)" 'BEGIN { exit !(c >= 2) }' || fail "clearance $(figure min_clearance_m a.json)"
[ "$backend" = cpu ] || [ "$(figure interop a.json)" = '"on"' ] || fail "interop is $(figure interop a.json)"

# the same flight gives the same picture
fly --frames 20 --size 320x200 --quality low --screenshot b.png
[ "$backend" = cuda ] || cmp -s a.png b.png || fail "the same flight gives another picture"

# every quality and debug view draws
for quality in medium high; do
  fly --frames 2 --size 200x120 --quality $quality --screenshot q.png
  "$check" q.png 200 120 0 200 || fail "quality $quality"
done
for debug in lod normals tiles; do
  fly --frames 2 --size 200x120 --quality low --debug $debug --screenshot d.png
  "$check" d.png 200 120 0 200 || fail "debug view $debug"
done
fly --frames 2 --size 320x200 --quality low --layers terrain,sky,water,hud --screenshot hud.png
cmp -s hud.png a.png && fail "the instruments are not drawn"

# land alone, seen from above: not one pixel of background, near and far, high and low, moving
far=1099511627776
edge=70366596694016 # 2^46 - 2^31
for at in $edge,-$edge 1918048,2540640 -1300000,400000 $far,-$far -$((far + 4000000)),77; do
  for altitude in 1 30 1000 30000 100000; do
    fly --at $at --altitude $altitude --pitch -85 --frames 3 --speed 2000 --size 160x100 --quality medium --layers terrain --screenshot land.png
    "$check" land.png 160 100 0 20 >/dev/null || fail "cracks at $at, altitude $altitude: $("$check" land.png 160 100 0 20)"
  done
done
# slantwise over rough land, large enough a picture for the gaps that levels of detail leave where they do not morph
fly --valley 0 --gain 0.7 --amplitude 900 --at 1918048,2540640 --altitude 150 --pitch -32 --speed 1 --frames 2 --size 1600x900 --quality medium --layers terrain --screenshot rough.png
"$check" rough.png 1600 900 0 200 >/dev/null || fail "cracks over rough land: $("$check" rough.png 1600 900 0 200)"
fly --altitude 300 --pitch 20 --frames 2 --size 160x100 --quality low --layers terrain --screenshot land.png
"$check" land.png 160 100 some 20 >/dev/null || fail "without a sky the background is not magenta"

# low over the roughest ground, fast: never into it
fly --frames 120 --fps 30 --speed 2000 --altitude 20 --valley 0 --gain 0.6 --size 64x40 --quality low --stats c.json
awk -v c="$(figure min_clearance_m c.json)" 'BEGIN { exit !(c >= 1.9) }' || fail "clearance $(figure min_clearance_m c.json) over rough ground"

# bad input
expect 2 "layers is 'terrain,trees'" fly --headless --layers terrain,trees
expect 2 "pitch is '91'" fly --headless --pitch 91
expect 2 "size is '20000x100'" fly --headless --size 20000x100
expect 2 "layers is ','" fly --headless --layers ,
expect 2 "at is '70368744177664,0'" fly --headless --at 70368744177664,0
expect 2 "speed is '-1'" fly --headless --speed -1
expect 2 "cannot read '/nowhere/tile_light.comp'" fly --headless --shader-dir /nowhere
expect 3 "cannot write '/nowhere/a.png'" fly --headless --backend "$backend" --frames 1 --size 64x64 --quality low --screenshot /nowhere/a.png
if [ "$backend" = cpu ]; then
  env -u DISPLAY -u WAYLAND_DISPLAY "$terrane" fly --frames 2 --size 64x64 --quality low >out 2>err || fail "without a display: $(cat err)"
  grep -q 'flying headless' err && [ -s terrane.png ] || fail "without a display: $(cat err)"
fi
finish
