#!/bin/bash
# test_clouds.sh TERRANE PICTURE_CHECK - clouds in flights: there are none with a cover of 0, their shadows lie under
# them, and neither the sun nor the sky is seen through a closed deck (a cover of 1).
set -u
terrane=$1 check=$2 backend=cpu
shaders=$(cd "$(dirname "$0")/../../shaders" && pwd)
guide=$(cd "$(dirname "$0")/../../assets/worlds-guide" && pwd)
. "$(dirname "$0")/../tools/shell.sh"

wide=192 high=108
for cover in 0 0.5 1; do
  sed "s/^clouds = .*/clouds = $cover/" "$guide/smooth-steppe.ini" >cover-$cover.ini
done
fly() { # quality, cover, options
  local quality=$1 world=cover-$2.ini
  shift 2
  "$terrane" fly --headless --force --backend "$backend" --quality $quality --frames 1 --size ${wide}x$high \
    --world $world "$@" 2>err || fail "terrane fly $*: exit status $?: $(cat err)"
}
magenta_in() { "$check" $1 $wide $high none 2 2>/dev/null | sed -n 's/.*\b\([0-9][0-9]*\) magenta.*/\1/p'; }

# With a cover of 0 the picture is the same as without the layer clouds. Few pictures have quality medium, because
# computing its tables of the air takes most of the time.
view='--at 20000,20000 --altitude 300 --heading 40 --pitch 5'
fly low 0 $view --screenshot clear.png
fly low 0 $view --layers terrain,water,sky,shadows,trees --screenshot without.png
cmp -s clear.png without.png || fail "a cover of 0 is not clear"
fly low 1 $view --screenshot full.png
cmp -s full.png without.png && fail "a cover of 1 shows no clouds"

# From above, with the sun in the zenith: exactly the ground that a cloud hides lies in its shadow.
cp "$shaders"/* .
returned='^ *return vec4(light.rgb \* cloud.a + cloud.rgb, light.a);' # of shade.comp
mark() { # draw a pixel magenta if an expression of shade.comp is true for one of its samples
  sed "s/$returned/    float shadow = cloud_shadow(ray_of(pixel) \/ max(depth, 1e-9));\n\
    return vec4(light.rgb, $1 ? -16.0 : 1.0);/" "$shaders/shade.comp" >shade.comp
}
count() { # number of pixels for which an expression of shade.comp is true: expression, quality, place, cover, altitude
  mark "$1"
  fly $2 $4 --at $3 --altitude $5 --pitch -89 --sun 0,89 --planet-radius 0 --layers terrain,clouds --shader-dir . \
    --screenshot count.png
  magenta_in count.png
}
hidden=0 different=0
for place in 'low 20000,20000' 'low 320000,20000'; do
  hidden=$((hidden + $(count 'cloud.a < 0.5' $place 0.5 14000)))
  different=$((different + $(count '(cloud.a < 0.5) != (shadow < 0.5)' $place 0.5 14000)))
done
pixels=$((2 * wide * high))
[ $hidden -gt $((pixels / 20)) ] && [ $hidden -lt $((pixels * 19 / 20)) ] ||
  fail "clouds hide $hidden of $pixels pixels"
[ $((different * 5)) -lt $pixels ] || fail "$different of $pixels pixels are hidden and lit, or not hidden and dark"

# the share of the sun's light that reaches the camera: all above the clouds, none under a closed deck
over=$(count 'frame_light.sky.w > 0.9' low 20000,20000 1 40000) \
  under=$(count 'frame_light.sky.w > 0.1' low 20000,20000 1 20)
[ "$over" = $((wide * high)) ] || fail "over the clouds the sun is hidden"
[ "$under" = 0 ] || fail "the sun is seen through a closed deck"

# a closed deck hides the sky, also beside the edges of hills
mark 'depth <= 0.0 \&\& cloud.a > 0.5'
fly medium 1 --at 20000,20000 --altitude 30 --pitch 3 --planet-radius 0 --layers terrain,sky,clouds --shader-dir . \
  --screenshot edges.png
holes=$(magenta_in edges.png)
[ "$holes" = 0 ] || fail "$holes pixels show sky under a closed deck"

# This place is overcast in the default world. At quality low every ray above the horizon must meet the closed deck.
wide=480 high=270
open='normalize(ray_of(pixel)).y > 0.03 \&\& cloud.a > 0.1'
sed "s/$returned/    return vec4(light.rgb, $open ? -16.0 : 1.0);/" "$shaders/shade.comp" >shade.comp
"$terrane" fly --headless --force --backend "$backend" --quality low --frames 1 --size ${wide}x$high \
  --at 1099510549504,1921024 --altitude 900 \
  --layers sky,clouds --shader-dir . --screenshot specks.png 2>err ||
    fail "terrane fly at 1099510549504: exit status $?: $(cat err)"
specks=$(magenta_in specks.png)
[ "$specks" = 0 ] || fail "$specks pixels show sky through a closed deck"
echo "$hidden of $pixels pixels hidden, $different differ from their shadow"
finish
