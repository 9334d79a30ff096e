#!/bin/bash
# test_rivers.sh TERRANE PICTURE_COMPARE PICTURE_CHECK [BACKEND] - flights draw rivers and lakes where the layer water
# has them and at the level that it gives, without gaps between tiles and levels of detail, and during morphs.
set -u
terrane=$1 compare=$2 check=$3
backend=${4:-cpu}
shaders=$(cd "$(dirname "$0")/../../shaders" && pwd)
. "$(dirname "$0")/../tools/shell.sh"

fly() { "$terrane" fly --headless --force --backend "$backend" --planet-radius 0 "$@" 2>err ||
  fail "terrane fly $*: exit status $?: $(cat err)"; }
world='--basis fluvial --continents 0 --land 0.6 --ice 0.6'
lake_x=1158552 lake_z=-358505 # 13 m deep
level=$("$terrane" probe $world --backend "$backend" --layer water -- $lake_x,$lake_z 2>err | awk '{ print $3 }')
awk -v w="$level" 'BEGIN { exit !(w > 50) }' || fail "no lake at $lake_x,$lake_z: '$level' $(cat err)"
# holes PICTURE WIDTH HEIGHT   print the number of magenta pixels of a picture
holes() { "$check" $1 $2 $3 none 2 2>&1 | sed -n 's/.*\b\([0-9][0-9]*\) magenta.*/\1/p'; }
# expect_closed STATS WHAT   check the figures of a flight: no error of OpenGL, and no open edge between tiles
expect_closed() {
  [ "$(figure gl_errors $1)" = 0 ] || fail "$2: GL errors: $(grep -A3 gl_error_texts $1)"
  [ "$(figure edge_samples_compared $1)" -gt 1000 ] && [ "$(figure edge_samples_different $1)" = 0 ] ||
    fail "$2: $(figure edge_samples_different $1) of $(figure edge_samples_compared $1) samples differ"
}

# seen from above, the share of water pixels is that of places with water in the layer water, within 0.034
wide=256 high=144 above=400
view=$lake_x,$lake_z,$(awk -v w="$level" -v h=$above 'BEGIN { print w + h }'),0,-89
cp "$shaders"/* .
# water is drawn as a hole, which is magenta
sed -i 's/^ *is_open = has_sea;/&\n    if (river.cover > 0.5)\n        return vec4(0.0);/' shade.comp
fly $world --view $view --frames 1 --size ${wide}x$high --layers terrain,water --shader-dir . --screenshot wet.png \
  --stats wet.json
expect_closed wet.json "a lake from above"
shown=$(holes wet.png $wide $high)
awk -v x=$lake_x -v z=$lake_z -v h=$above -v ratio=$((wide * 1000 / high)) 'BEGIN {
  half = h * 0.520567 # tangent of half of 55 degrees
  for (j = 0; j < 18; j++)
    for (i = 0; i < 32; i++)
      printf "%d %d\n", x + half * ratio / 1000 * ((i + 0.5) / 16 - 1), z - 0.017455 * h + half * ((j + 0.5) / 9 - 1)
}' >points
wet=$("$terrane" probe $world --backend "$backend" --layer water <points 2>err | grep -vc nan)
awk -v shown="$shown" -v all=$((wide * high)) -v wet="$wet" 'BEGIN {
  share = shown / all; expected = wet / 576; off = share > expected ? share - expected : expected - share
  exit !(expected > 0.1 && expected < 0.9 && off < 0.034) }' ||
  fail "$shown of $((wide * high)) pixels are water, $wet of 576 samples"

# From far away rivers that are narrower than the sample distance are lines. Drawn only at the samples that they meet,
# they would be dots, 26 pixels here.
sed -i 's/river.cover > 0.5)/river.cover > 0.05)/' shade.comp
fly --view -1080453,1938070,6000,225,-45 --frames 1 --size 192x108 --quality low --layers terrain,water --shader-dir . \
  --screenshot far.png --stats far.json
expect_closed far.json "rivers from far away"
shown=$(holes far.png 192 108)
[ "$shown" -gt 300 ] && [ "$shown" -lt 700 ] || fail "$shown pixels are rivers from far away, expected about 430"

# the same after a morph, whose tiles have no narrow rivers at first
fly --seed 2 --view -1080453,1938070,6000,225,-45 --fps 1 --frames 25 --speed 1 --morph-to 1,2 --size 192x108 \
  --quality low --layers terrain,water --shader-dir . --screenshot became.png --stats became.json
expect_closed became.json "rivers after a morph"
after=$(holes became.png 192 108)
[ "$after" -gt $((shown * 9 / 10)) ] && [ "$after" -lt $((shown * 11 / 10)) ] ||
  fail "$after pixels are rivers after a morph, $shown without one"

# The same from low over a plain, where a pixel is many samples long. If the shader looked for rivers only in the middle
# of each pixel, they would be dashes, 267 pixels.
# the sky must not count as a hole
sed -i 's/^ *is_open = has_sea;/&\n    if (land < 0.0)\n        return vec4(1.0);/' shade.comp
fly --world steppe --continents 0 --relief 0.9 --uplift -0.6 --hills -0.5 --plateau -0.8 \
  --view -1658513,-1001298,1000,141,-8 --frames 1 --size 96x54 --quality medium --layers terrain,water \
  --shader-dir . --screenshot across.png --stats across.json
expect_closed across.json "rivers across the view"
shown=$(holes across.png 96 54)
[ "$shown" -gt 440 ] && [ "$shown" -lt 560 ] || fail "$shown pixels are rivers across the view, expected about 496"

# Haze depends on distance, so the distance of a river behind the horizon must be about that of its bed. An earlier
# version drew 19 pixels here with less than half of the right distance.
cp "$shaders"/* .
sed -i 's/^ *is_open = has_sea;/&\n    if (land < 0.0)\n        return vec4(1.0);/
s/^ *distance = to_river(d, land, river);/&\n        if (distance < 0.5 * land)\n\
            return vec4(0.0);/' shade.comp
"$terrane" fly --headless --force --backend "$backend" --view -1019092,1836332,1864,180,-8 --frames 1 --size 480x270 \
  --pixel-error 6 --quality low --layers terrain,water --shader-dir . --screenshot horizon.png 2>err ||
    fail "$(cat err)"
"$check" horizon.png 480 270 0 2 >/dev/null 2>err || fail "rivers behind the horizon: $(cat err)"
grep -q 'distance < 0.5' shade.comp || fail "shade.comp no longer has the line that this test changes"

# dry land has no water
fly $world --at $((lake_x - 600)),$((lake_z - 1500)) --altitude 60 --pitch -89 --frames 1 --size 128x72 \
  --layers terrain --screenshot dry.png
fly $world --at $((lake_x - 600)),$((lake_z - 1500)) --altitude 60 --pitch -89 --frames 1 --size 128x72 \
  --layers terrain,water --screenshot wet.png
cmp -s dry.png wet.png || fail "water on dry land: $("$compare" dry.png wet.png 0 2>&1)"

# a camera below the water surface is lifted above it
bed_view=$lake_x,$lake_z,$(awk -v w="$level" 'BEGIN { print w - 10 }'),0,-89
fly $world --view $bed_view --frames 2 --speed 1 --size 64x36 --min-clearance 3 --layers terrain,water --export-view \
  --stats under.json >/dev/null
awk -v c="$(figure min_clearance_m under.json)" 'BEGIN { exit !(c > 2.9 && c < 4) }' ||
  fail "clearance over the lake: $(figure min_clearance_m under.json)"

# morphs between worlds with and without rivers, and between two worlds with rivers
printf '[world]\nseed = 9\nlevels = 20\n' >dry.ini
printf '[world]\nseed = 1\nlevels = 20\nbasis = fluvial\nland = 0.6\nice = -0.5\nrelief = 0.8\n' >other.ini
printf '[world]\nseed = 1\nlevels = 20\nbasis = fluvial\nland = 0.6\nice = 0.6\n' >lakes.ini
while read -r from to frames; do # frame 9 is in the middle of the morph, frame 21 at its end
  fly --world $from --view $view --fps 1 --frames $frames --speed 1 --size 64x36 --quality low --layers terrain,water \
    --morph-world $to --morph-front --frames-dir m --stats m.json
  expect_closed m.json "morph from $from to $to, frame $frames"
  for picture in m/frame-000009.png "$(printf 'm/frame-%06d.png' $((frames - 1)))"; do
    "$check" $picture 64 36 0 20 >/dev/null || fail "morph from $from to $to: $("$check" $picture 64 36 0 20)"
  done
  [ "$(figure morphs m.json)" = 1 ] || fail "morph from $from to $to: $(figure morphs m.json) morphs"
done <<'WORLDS'
dry.ini lakes.ini 10
lakes.ini other.ini 10
lakes.ini dry.ini 22
WORLDS
finish
