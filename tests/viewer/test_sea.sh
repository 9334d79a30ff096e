#!/bin/bash
# test_sea.sh TERRANE PICTURE_REPEAT PICTURE_COMPARE - seen from above, the sea does not look the same in each patch of
# its waves. It moves with time, and two pictures of the same time are equal.
set -u
terrane=$1 repeat=$2 compare=$3 backend=cpu
shaders=$(cd "$(dirname "$0")/../../shaders" && pwd)
. "$(dirname "$0")/../tools/shell.sh"

# A sea without land, 10 km wide: 480 pixels of 22 m, so that only waves of the longest patch are visible.
fly() {
  "$terrane" fly --headless --force --basis smooth --base -5000 --levels 4 --amplitude 1 --planet-radius 0 \
    --view 0,0,10000,0,-89 --quality low \
    --size 480x480 --layers terrain,water,sky --sun 120,60 --frames 1 "$@" 2>err ||
      fail "terrane fly $*: exit status $?: $(cat err)"
}
# A side of the patch of the longest waves is the vector 65536 (49, 22) / (49^2 + 22^2) m, here in pixels.
east=$(awk 'BEGIN { printf "%d", 65536 * 49 / (49 * 49 + 22 * 22) / (2 * 0.520567 * 10000 / 480) + 0.5 }')
south=$(awk 'BEGIN { printf "%d", 65536 * 22 / (49 * 49 + 22 * 22) / (2 * 0.520567 * 10000 / 480) + 0.5 }')
expect_alike() { # LEAST MOST PICTURE WHAT   correlation of the picture with a copy that is shifted by a patch
  local alike=$("$repeat" $3 $east $south)
  awk -v a="$alike" -v least=$1 -v most=$2 'BEGIN { exit !(a != "" && a >= least && a <= most) }' ||
    fail "$4: $alike, expected $1 to $2"
}

# Draw slopes as brightness, because glints would hide a repetition.
cp "$shaders"/* .
sed -i 's/^    vec3 light = water_light(.*/    vec3 light = vec3(max(0.2 + blown.sea.slope.x, 0.0));/' shade.comp
fly --screenshot slopes.png --shader-dir .
expect_alike -1 0.15 slopes.png "the sea repeats with its patches"
sed -i 's/^    cell &= period - 1;/    return vec2(0.0);/' sea_waves.glsl # every cell has the patch at the same offset
fly --screenshot repeated.png --shader-dir .
expect_alike 0.25 1 repeated.png "the check does not see patches that repeat"

fly --screenshot sea.png
fly --screenshot again.png
cmp -s sea.png again.png || fail "the same sea at the same time is another picture"
fly --screenshot later.png --fps 1 --frames 4
"$compare" sea.png later.png 0.5 2>/dev/null && fail "the sea does not move"

exit $((failed > 0))
