#!/bin/bash
# test_horizon.sh TERRANE PICTURE_CHECK [SHADERS] - the horizon of the sea: no line of bare sky above it, no clouds
# from beyond it drawn over the sea, no sunlit band at the base of a closed deck of clouds, no white pixels on far
# shores. Pixels that show partly sea and partly land behind it also have the light of the land.
set -u
terrane=$1 check=$2 shaders=${3:-$(cd "$(dirname "$0")/../../shaders" && pwd)} backend=cpu
guide=$(cd "$(dirname "$0")/../../assets/worlds-guide" && pwd)
. "$(dirname "$0")/../tools/shell.sh"

wide=400 high=225
printf '[world]\nbasis = smooth\nbase = -5000\nlevels = 4\namplitude = 1\n' >deck.ini # a sea without land
cp "$shaders"/* .
expect_none() { # WHAT, options: check that no pixel is magenta
  local what=$1
  shift
  "$terrane" fly --headless --force --backend "$backend" --frames 1 --size ${wide}x$high --shader-dir . \
    --screenshot horizon.png "$@" 2>err || fail "terrane fly $*: exit status $?: $(cat err)"
  local found=$("$check" horizon.png $wide $high none 2 2>/dev/null | sed -n 's/.*\b\([0-9][0-9]*\) magenta.*/\1/p')
  [ "$found" = 0 ] || fail "$what: ${found:-unknown} pixels, expected 0"
}
# mark_clouds EXPRESSION   draw pixels magenta if an expression of shade.comp is true. In it, `over` is how many pixels
# the pixel lies below the horizon.
mark_clouds() {
  sed "s/^ *return vec4(light.rgb \* cloud.a + cloud.rgb, light.a);/\
    vec3 ray = ray_of(pixel);\n\
    float dip = 2.0 * sqrt((frame_camera.y - frame_sea_level) * frame_curvature * dot(ray.xz, ray.xz));\n\
    float over = (-ray.y - dip) \/ (length(ray) * frame_pixel_width);\n\
    return vec4(light.rgb, $1 ? -16.0 : 1.0);/" "$shaders/shade.comp" >shade.comp
}

# Three faults in one picture, because compiling takes most of the time: sky over the sea, clouds from beyond the
# horizon in front of the sea, sunlight at the base of a closed deck.
gap='(over < -0.5 \&\& over > -4.0 \&\& cloud.a > 0.5)'
hole='(over > 0.5 \&\& cloud.a < 0.9)'
lit='(over < -6.0 \&\& over > -9.0 \&\& cloud.r > 0.35)'
mark_clouds "$gap || $hole || $lit"
expect_none "sky, far clouds and lit bases at the horizon" --world deck.ini --view 1099510549504,1921024,1300,30,-8 \
  --layers water,sky,clouds --quality low

# A small planet with islands beyond the horizon: land that the sea partly hides, and far shores with white water.
cp "$shaders"/* .
sed -i 's/^    vec3 light = water_light(.*/&\n    if (!is_river \&\& t > 1.6e4)\n\
        return vec3(waves.foam < 0.9 ? 0.0 : 1.0e12);/' shade.comp
sed -i 's/^    return land_light(position);/    return vec3(1.0e9);/
s/^    imageStore(target, pixel, .*/    float cover, sea = to_sea(d, cover), land = length(ray) \/ depth_of(pixel, 0);\
    bool is_beyond = depth_of(pixel, 0) > 0.0 \&\& land > sea \&\& cover > 0.0 \&\& cover < 0.9;\
    bool is_white = (is_beyond \&\& sum.r < 1.0e6) || sum.r > 1.0e10;\
    imageStore(target, pixel, vec4(vec3(0.1), is_white ? 0.0 : 1.0));/' shade.comp
expect_none "hidden land and white pixels at the horizon" --world "$guide/smooth-archipelago.ini" --planet-radius 500 \
  --layers terrain,water,sky --time 12 --view 31872,14144,60,200,-1 --quality low
finish
