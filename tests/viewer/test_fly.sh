#!/bin/bash
# test_fly.sh TERRANE PICTURE_CHECK [BACKEND] - headless flights write pictures, films and figures; the land has no
# cracks, the same flight gives the same pictures, and bad input is refused.
set -u
terrane=$1 check=$2
backend=${3:-cpu}
shaders=$(cd "$(dirname "$0")/../../shaders" && pwd)
. "$(dirname "$0")/../tools/shell.sh"

# Flights over land of basis smooth, which is made fast, over a coast unless another place is given.
smooth='--basis smooth --at 1918048,2540640'
fly() { "$terrane" fly --headless --force --backend "$backend" $smooth "$@" 2>err ||
  fail "terrane fly $*: exit status $?: $(cat err)"; }

# a flight writes a picture and figures
fly --frames 12 --size 200x120 --quality low --screenshot a.png --stats a.json
"$check" a.png 200 120 0 200 || fail "picture of a flight"
[ "$(figure gl_errors a.json)" = 0 ] || fail "GL errors: $(grep -A3 gl_error_texts a.json)"
[ "$(figure late_tiles a.json)" = 0 ] || fail "late tiles: $(figure late_tiles a.json)"
[ "$(figure edge_samples_compared a.json)" -gt 10000 ] && [ "$(figure edge_samples_different a.json)" = 0 ] ||
  fail "edges: $(figure edge_samples_different a.json) of $(figure edge_samples_compared a.json) samples differ"
times=$(sed -n '/"gpu_ms"/,/^\t}/s/.*"max":[[:space:]]*\([^,]*\).*/\1/p' a.json)
for ms in $times; do # a pass cannot take longer than the flight, which takes less than ten minutes
  awk -v ms="$ms" 'BEGIN { exit !(ms > 0 && ms < 600000) }' || fail "a pass took $ms ms of GPU time"
done
[ "$(figure frames a.json)" = 12 ] || fail "frames: $(figure frames a.json)"
awk -v c="$(figure min_clearance_m a.json)" 'BEGIN { exit !(c >= 2) }' ||
  fail "clearance $(figure min_clearance_m a.json)"
[ "$backend" = cpu ] || [ "$(figure interop a.json)" = '"on"' ] || fail "interop is $(figure interop a.json)"

# every quality and debug view draws a picture
for quality in lowest medium high; do
  [ "$backend" = cuda ] || [ $quality = high ] || continue # with backend cpu other tests draw the other qualities
  fly --frames 1 --size 96x54 --quality $quality --screenshot q.png
  "$check" q.png 96 54 0 200 || fail "quality $quality"
done
for debug in lod normals tiles; do
  fly --frames 2 --size 200x120 --quality low --debug $debug --screenshot d.png
  "$check" d.png 200 120 0 200 || fail "debug view $debug"
done
fly --frames 2 --size 200x120 --quality low --layers terrain,sky,water,hud --screenshot hud.png
cmp -s hud.png a.png && fail "the instruments are not drawn"

# only land, seen from above: no pixel shows the background, near and far, high and low, while moving
far=1099511627776
edge=70366596694016 # 2^46 - 2^31
quality=medium # qualities medium and low in turn, because they have different meshes
other() { [ $quality = low ] && quality=medium || quality=low; }
places="$edge,-$edge 1918048,2540640 -$((far + 4000000)),77"
[ "$backend" = cpu ] || places="$places -1300000,400000 $far,-$far"
for at in $places; do
  x=${at%,*} z=${at#*,} second=0
  ground=$("$terrane" probe --basis smooth "$at" 2>err | awk '{print int($3)}')
  # one frame at each altitude
  for altitude in 1 30 1000 30000 100000 100000; do
    printf '%d %d %d %d 30 -85\n' $second $((x - 300 * second)) $z $((ground + altitude)) && second=$((second + 1))
  done >up.txt
  fly --path up.txt --fps 1 --size 160x100 --quality $quality --layers terrain --frames-dir up
  [ "$(ls up | wc -l)" -ge 5 ] || fail "cracks at $at: $(ls up | wc -l) frames"
  for picture in up/*.png; do
    "$check" $picture 160 100 0 20 >/dev/null ||
      fail "cracks at $at, quality $quality, ${picture##*/}: $("$check" $picture 160 100 0 20)"
  done
  rm -r up
  other
done
# Straight down on a triangle that is so thin that rounding its corners turns it over. One pixel is covered by no other
# triangle.
printf '%s 30 -85\n' '0 1918048 2540640 -37' '1 1917748 2540640 -33' '2 1917448 2540640 -8' '3 1917148 2540640 962' \
  '4 1916848 2540640 4962' >thin.txt
fly --path thin.txt --fps 1 --size 160x100 --quality low --layers terrain --frames-dir thin
"$check" thin/frame-000003.png 160 100 0 20 >/dev/null ||
  fail "a thin triangle: $("$check" thin/frame-000003.png 160 100 0 20)"
# slanting views that turn, at random places
seed=20261120
random() { seed=$(((seed * 1103515245 + 12345) % 2147483648)) drawn=$((seed / 65536 % $1)); } # sets $drawn
for n in $(seq 4); do
  random 30000 && x=$((drawn * 100003 - 1500000000))
  random 30000 && z=$((drawn * 99991 - 1500000000))
  [ $((n % 2)) = 0 ] && x=$((x + far)) && z=$((z - far))
  [ $((n / 2 % 2)) = 0 ] && quality=medium || quality=low
  random 360 && h=$drawn
  random 17 && a=$((2 ** drawn)) # altitude, 1 m to 65 km; the flight lifts a camera that would be below the ground
  printf '0 %d %d %d %d -40\n1 %d %d %d %d -55\n' $x $z $((a + 1)) $h $((x + 2000)) $((z + 500)) $((a + 1)) \
    $((h + 120)) >turn.txt
  fly --path turn.txt --fps 2 --size 160x100 --quality $quality --layers terrain --frames-dir turn$n
  for picture in turn$n/*.png; do
    "$check" $picture 160 100 0 20 >/dev/null ||
      fail "cracks at $x,$z, $a m, heading $h, quality $quality: $("$check" $picture 160 100 0 20)"
  done
done
# Slanting view over rough land. The picture is large enough to show gaps between levels of detail without geomorphs.
fly --valley 0 --gain 0.7 --amplitude 900 --at 1918048,2540640 --altitude 150 --pitch -32 --speed 1 --frames 1 \
  --size 1600x900 --quality medium --layers terrain --screenshot rough.png
"$check" rough.png 1600 900 0 200 >/dev/null || fail "cracks over rough land: $("$check" rough.png 1600 900 0 200)"
fly --altitude 300 --pitch 20 --frames 2 --size 160x100 --quality low --layers terrain --screenshot land.png
"$check" land.png 160 100 some 20 >/dev/null || fail "without a sky the background is not magenta"

# no cracks during a morph, everywhere at once and as a front
for front in "" --morph-front; do
  other
  for altitude in 20 3000; do
    other
    fly --at 1918048,2540640 --altitude $altitude --pitch -60 --fps 5 --frames 5 --speed 300 --size 320x200 \
      --quality $quality --layers terrain --morph-to 9,1.6 $front --screenshot morph.png --stats m.json
    "$check" morph.png 320 200 0 20 >/dev/null ||
      fail "cracks in a morph$front from $altitude m, quality $quality: $("$check" morph.png 320 200 0 20)"
    [ "$(figure edge_samples_different m.json)" = 0 ] ||
      fail "edges in a morph$front: $(figure edge_samples_different m.json) samples differ"
    [ "$(figure morphs m.json)" = 1 ] || fail "morphs: $(figure morphs m.json)"
  done
done

# a morph ends with other land, and the camera stays above it; a journey begins one morph after the other
rest="--at 1918048,2540640 --altitude 200 --speed 1 --fps 5 --frames 6 --size 160x100 --quality low"
rest="$rest --layers terrain,sky"
fly $rest --morph-to 9,0.5 --screenshot there.png --stats m.json
awk -v c="$(figure min_clearance_m m.json)" 'BEGIN { exit !(c >= 2) }' ||
  fail "clearance $(figure min_clearance_m m.json) in a morph"
fly $rest --screenshot here.png
cmp -s here.png there.png && fail "a morph changes nothing"
fly --frames 12 --fps 4 --journey 1 --size 160x100 --quality low --stats j.json
[ "$(figure morphs j.json)" -ge 2 ] || fail "a journey of 3 s with a morph every second has $(figure morphs j.json)"

# With --no-wait, frames do not wait for tiles: a morph begins after at most a minute of flight, and every frame shows
# land.
fly --no-wait --altitude 3000 --pitch -60 --fps 1 --speed 1 --frames 90 --morph-to 9,4 --morph-front --size 64x36 \
  --quality low --layers terrain --frames-dir hurried --stats m.json
for picture in hurried/*; do
  "$check" "$picture" 64 36 0 20 >/dev/null || fail "a morph that waits for no tile: $("$check" "$picture" 64 36 0 20)"
done
[ "$(figure morphs m.json)" = 1 ] && [ "$(figure edge_samples_different m.json)" = 0 ] ||
  fail "a morph that waits for no tile: $(figure morphs m.json) morphs, $(figure edge_samples_different \
    m.json) edge samples differ"

# views, paths, frames, films: the same path always gives the same pictures
fly --view 1918048.5,2540640.25,900,30,-8 --speed 1 --frames 1 --size 160x100 --quality low --screenshot view.png
"$check" view.png 160 100 0 100 >/dev/null || fail "view"
printf '%s\n' '# a turn to the right' '0 1918048 2540640 900 350 -8' '1 1918148 2540640 950 10 -20' \
  '2 1918248 2540740 900 20 -8' >path.txt
path="fly --headless --backend cpu $smooth --path path.txt --fps 5 --size 160x100 --quality low --checksums"
"$terrane" $path >one 2>err || fail "checksums: $(cat err)"
"$terrane" $path --frames-dir frames >two 2>err || fail "frames: $(cat err)"
cmp -s one two || fail "the same path gives other pictures"
[ "$(sort -u -k2 one | wc -l)" -ge 9 ] ||
  fail "a path of 2 s at 5 frames a second has $(sort -u -k2 one | wc -l) different frames"
[ "$(ls frames | wc -l)" = "$(wc -l <one)" ] || fail "$(ls frames | wc -l) pictures of $(wc -l <one) frames"
if command -v ffmpeg >/dev/null; then
  fly --frames 6 --fps 30 --size 160x100 --quality low --record film.mp4
  [ -s film.mp4 ] && [ -z "$(ls -A | grep 'film.mp4.')" ] || fail "film: $(ls -A)"
  grep -q 'film.mp4: 6 frames of 160 x 100, 0.20 s at 30 frames a second' err || fail "a film's end: $(cat err)"
fi
env PATH=/nowhere "$terrane" fly --headless --backend "$backend" $smooth --frames 2 --size 64x64 --quality low \
  --record other.mp4 >out 2>err
[ $? -eq 4 ] && grep -q 'ffmpeg cannot be started.*install' err || fail "without ffmpeg: $(cat err)"

# a picture larger than a framebuffer is drawn in parts, and shows the same view as a small one
if [ "$backend" = cpu ]; then
  fly --view 1918048.5,2540640.25,900,30,-8 --speed 1 --frames 1 --size 4200x24 --quality low \
    --layers terrain,sky --screenshot large.png
  "$check" large.png 4200 24 0 1000 >/dev/null || fail "large picture"
fi

# shaders from a folder: an error in one is reported, and the flight goes on with the old one
cp -r "$shaders" mine
"$terrane" fly --headless --backend "$backend" $smooth --shader-dir mine --size 96x64 --quality low --frames 100000000 \
  --checksums >sums 2>log &
program=$!
await 120 test -s sums || fail "no frame before a shader is broken: $(cat log)"
sed -i 's/void main()/void main( broken/' mine/shade.comp
await 60 grep -q "shade.comp' does not compile" log || fail "a broken shader is not reported: $(cat log)"
frames=$(wc -l <sums)
more_frames() { [ "$(wc -l <sums)" -gt $((frames + 2)) ]; }
await 60 more_frames || fail "the flight does not go on with a broken shader"
kill -INT $program
wait $program
status=$?
[ $status = 130 ] || fail "a flight with a broken shader ends with status $status: $(cat log)"
expect 1 "shader 'shade.comp' does not compile" fly --headless --backend "$backend" $smooth --shader-dir mine \
  --size 96x64 --quality low --frames 1

# --export-view prints a command that exports the ground in view: the exported rectangle lies around the camera, has the
# size of the visible ground, and is the same land
down="--headless --backend $backend --basis smooth --seed 5 --valley 0.3 --planet-radius 0"
down="$down --at 1918048,2540640 --altitude 2000 --heading 0 --pitch -89 --speed 1"
down="$down --frames 2 --size 160x160 --quality low"
"$terrane" fly $down --screenshot plain.png >out 2>err || fail "straight down: $(cat err)"
"$terrane" fly $down --export-view --screenshot marked.png >out 2>err || fail "--export-view: $(cat err)"
cmp -s plain.png marked.png && fail "the ground that is exported is not marked"
place='--at \([-0-9]*\),\([-0-9]*\) --size \([0-9]*\)x\([0-9]*\) --lod \([0-9]*\)'
read -r x z w h lod <<<"$(sed -n "s/^terrane export .*$place -o ground.tif\$/\1 \2 \3 \4 \5/p" out)"
awk -v x="$x" -v z="$z" -v w="$w" -v h="$h" -v step=$((1 << ${lod:-0})) 'BEGIN {
  side = 2 * 2000 * 0.5206; east = (w - 1) * step; south = (h - 1) * step
  is_around = x < 1918048 && x + east > 1918048 && z < 2540640 && z + south > 2540640
  is_as_wide = east > 0.7 * side && east < 1.15 * side && south > 0.7 * side && south < 1.15 * side
  exit !(is_around && is_as_wide)
}' || fail "ground in view: $(cat out)"
"$terrane" $(sed 's/^terrane //; s/ground.tif/ground.r32/' out) --backend "$backend" 2>err ||
  fail "the command of --export-view: $(cat err)"
probed=$("$terrane" probe --basis smooth --seed 5 --valley 0.3 "$x,$z" 2>/dev/null | awk '{print $4}')
[ "$(od -An -tx4 -N4 --endian=little ground.r32 | tr -d ' ')" = "$probed" ] ||
  fail "the command of --export-view exports other land: $(cat out)"
"$terrane" fly --headless --backend "$backend" $smooth --planet-radius 0 --altitude 2000 --pitch 60 --frames 1 \
  --size 64x64 --quality low --export-view >out 2>err
[ $? -eq 1 ] && grep -q 'no ground in view' err || fail "--export-view of the sky: $(cat err)"

# fast and low over the roughest ground: the camera never enters the ground
fly --frames 60 --fps 15 --speed 2000 --altitude 20 --valley 0 --gain 0.6 --size 64x40 --quality low \
  --layers terrain,sky --stats c.json
awk -v c="$(figure min_clearance_m c.json)" 'BEGIN { exit !(c >= 2) }' ||
  fail "clearance $(figure min_clearance_m c.json) over rough ground"

# too little memory for tiles: the flight reports it, and ends
timeout 60 "$terrane" fly --headless --backend "$backend" --basis smooth --tile-memory 1 --altitude 3 --size 64x36 \
  --quality low --frames 2 --stats full.json 2>err ||
  fail "too little memory for tiles: exit status $?: $(cat err)"
grep -q 'is too small for this view.*expected a larger --tile-memory' err ||
  fail "too little memory for tiles: $(cat err)"
[ "$(figure late_tiles full.json)" -gt 0 ] || fail "too little memory for tiles: none late"
grep -q -- '--tile-memory is 1: the land is coarser than this picture needs, which is [0-9]* MB' err ||
  fail "too little memory for the detail: $(cat err)"

# an older OpenGL is refused, and the message has its version
mesa=/usr/share/glvnd/egl_vendor.d/50_mesa.json
if [ -e $mesa ]; then
  __EGL_VENDOR_LIBRARY_FILENAMES=$mesa MESA_GL_VERSION_OVERRIDE=4.1 "$terrane" fly --headless --backend "$backend" \
    --frames 1 2>err
  got=$?
  [ $got -eq 4 ] && grep -q 'no OpenGL 4.5 without a display: .* has OpenGL 4.1' err ||
    fail "OpenGL 4.1: exit status $got: $(cat err)"
fi

# the keys
"$terrane" fly --list-keys >keys 2>err || fail "list-keys: $(cat err)"
[ "$(grep -c . keys)" -ge 25 ] && grep -q '^F12 ' keys || fail "keys: $(cat keys)"

# bad input
expect 2 "morph-to is 'seven'" fly --headless --morph-to seven
expect 2 "view is '1,2'" fly --headless --view 1,2
expect 2 "cannot read 'nowhere.txt'" fly --headless --path nowhere.txt
expect 2 "cannot read '/dev/zero'" fly --headless --path /dev/zero
printf '0 1 2 3 4 5\n0 1 2 3 4 5\n' >bad.txt
expect 2 "bad.txt:2: time 0 is not after 0" fly --headless --path bad.txt
printf '0 1 2 3 4\n' >bad.txt
expect 2 "bad.txt:1: expected 'TIME X Z" fly --headless --path bad.txt
printf 'levels = 8\n' >small.ini
expect 2 "at least 12 levels" fly --headless --basis smooth --frames 2 --size 64x64 --quality low --levels 16 \
  --morph-world small.ini
expect 2 "sun is '10,95'" fly --headless --sun 10,95
printf '[look]\npalette = pink\n' >look.ini
expect 2 "look.ini:2: palette is 'pink', expected .*temperate" fly --headless --world look.ini
printf '[look]\nsnow = 1\n' >look.ini
expect 2 "look.ini:2: unknown key 'snow', expected palette, .*snow_line" fly --headless --world look.ini
expect 2 "layers is 'terrain,stars'" fly --headless --layers terrain,stars
expect 2 "pitch is '91'" fly --headless --pitch 91
expect 2 "pitch is '-90.5'" fly --headless --pitch -90.5
expect 2 "altitude is '1.01e8', expected a number from 0 to 100000000" fly --headless --altitude 1.01e8
# options, a copied view and a path have the same limits
printf '0 0 0 2e7 30 -90\n1 0 0 1e8 30 -90\n' >down.txt
for view in '--altitude 2e7 --pitch -90' '--view=0,0,2e7,30,-90' '--path down.txt'; do
  # shellcheck disable=SC2086
  expect 0 '' fly --headless --backend "$backend" $view --frames 1 --size 64x36 --quality low \
    --screenshot down.png --force
done
expect 2 "size is '20000x100'" fly --headless --size 20000x100
expect 2 "layers is ','" fly --headless --layers ,
expect 2 "at is '70368744177664,0'" fly --headless --at 70368744177664,0
expect 2 "speed is '-1'" fly --headless --speed -1
expect 2 "cannot read '/nowhere/tile_light.comp'" fly --headless --shader-dir /nowhere
expect 3 "cannot write '/nowhere/a.png'" fly --headless --backend "$backend" --frames 1 --size 64x64 --quality low \
  --screenshot /nowhere/a.png
if [ "$backend" = cpu ]; then
  env -u DISPLAY -u WAYLAND_DISPLAY "$terrane" fly $smooth --frames 2 --size 64x64 --quality low >out 2>err ||
    fail "without a display: $(cat err)"
  grep -q 'flying headless' err && [ -s terrane.png ] || fail "without a display: $(cat err)"
fi
finish
