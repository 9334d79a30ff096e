#!/bin/bash
# test_plant_shadows.sh TERRANE PICTURE_COMPARE - under a low sun trees shade the ground near them, but no ground beyond
# the area of their shadow map. The shadow of a trunk begins at its foot.
set -u
terrane=$1 compare=$2 backend=cpu
worlds=$(cd "$(dirname "$0")/../../assets/worlds-guide" && pwd) shaders=$(cd "$(dirname "$0")/../../shaders" && pwd)
. "$(dirname "$0")/../tools/shell.sh"

fly() { "$terrane" fly --headless --force --backend $backend --frames 1 --size 128x72 --quality medium "$@" 2>err ||
  fail "terrane fly $*: exit status $?: $(cat err)"; }

# A plain without woods, seen away from the sun: hardly any tree is visible, so trees must hardly change the picture.
plain="--world $worlds/smooth-steppe.ini --at 20000,20000 --altitude 400 --heading 90 --pitch -8 --time 17.8"
fly $plain --layers terrain,sky,shadows --screenshot bare.png
fly $plain --layers terrain,sky,shadows,trees --screenshot shaded.png
"$compare" bare.png shaded.png 0.5 >/dev/null 2>err || fail "a plain without trees: $(cat err)"

# The shadow of a pine on the ground, seen from above; without trees there is none. No shadow lies between the foot and
# the sun.
# Only the light that plants let through is drawn, because such shaders are short and compile fast.
foot="--world $worlds/smooth-archipelago.ini --at 32383,14928 --altitude 8 --pitch -89 --heading 0"
cp "$shaders"/* .
sed -i 's/^    return light;$/    return vec3(through);/' land.glsl
sed -i "s/choose_kind(0, TREE_KINDS, stand, b.x)/PINE/; s/ = dead_kind(kind)/ = PINE/" scatter.comp # all trees have bare trunks
sed -i "s/int age = tree_age(.*;/int age = PLANT_FULL_AGE;/" scatter.comp
sed -i "s/^\( *\)place_bush(place, a, b);/\1;/" scatter.comp # only trees
sed -i '/^void leave/,/^}/s/samples >> n & 1) != 0/samples >> n \& 1) > 1/' plant_raster.glsl # no plant is drawn
trunk='away.y > -0.515 * up.y \&\& (abs(away.x) < 0.018 * wide \&\& away.y < 0.0 ||'
fly $foot --sun 110,45 --layers terrain,sky,shadows,trees --shader-dir . --screenshot drawn.png
fly $foot --sun 110,45 --layers terrain,sky,shadows --shader-dir . --screenshot bare.png
"$compare" bare.png drawn.png 0.1 >alike 2>&1 && fail "trees throw no shadow: $(cat alike)"
# a trunk is up to a texel of the impostor thinner: 0.2 of 255; one that stands beside its foot differs by 0.8
sed -i "s/if (impostor_at(.*$/if ($trunk &/; s/|| if (\(impostor_at.*\)/|| \1)/" plant_shadows.comp
fly $foot --sun 110,45 --layers terrain,sky,shadows,trees --shader-dir . --screenshot right.png
"$compare" drawn.png right.png 0.3 >/dev/null 2>err || fail "a trunk's shadow is not at its foot: $(cat err)"
finish
