#!/bin/bash
# test_climate_export.sh TERRANE BACKEND - exports, sidecars and probes have the layers of the climate, whose parameters
# can be set by options and in world files. Also tested: styles of maps, and refusals of wrong values.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=$2
. "$tests/../tools/shell.sh"
if lacks sidecars || lacks checksums; then echo "skipped: this build has no JSON, or no checksums" >&2; exit 77; fi
at=-1081344,1916928
layers=temperature,temperature-range,precipitation,precipitation-season,biome,snow
write() { "$terrane" export --backend "$backend" --lod 12 --at $at --size 24x18 "$@" 2>err ||
  fail "export $*: $(cat err)"; }

# ---- layers and sidecars ----
write --layer $layers -o 'a_{layer}.r32'
[ "$(ls a_*.r32 | wc -l)" -eq 6 ] || fail "files: $(ls)"
grep -q '"unit":.*"degC"' a_temperature.r32.json || fail "unit: $(cat a_temperature.r32.json)"
[ "$(tr -d '\n\t ' <a_biome.r32.json | sed 's/.*"classes":\[\([^]]*\)\].*/\1/' | tr ',' '\n' | grep -c .)" -eq 13 ] ||
  fail "classes: $(cat a_biome.r32.json)"
grep -q classes a_snow.r32.json && fail "layer snow has classes"
[ "$(figure warmth a_snow.r32.json) $(figure wetness a_snow.r32.json) $(figure belts a_snow.r32.json)" = '0 1 8000' ] ||
  fail "parameters in the sidecar: $(cat a_snow.r32.json)"
expect 0 '' export --backend "$backend" --verify a_*.r32
write --layer $layers -o 'b_{layer}.r16'
[ "$(od -An -tu2 -v b_biome.r16 | tr -s ' ' '\n' | sort -n | tail -1)" -le 12 ] ||
  fail "classes of 16 bits: $(od -tu2 b_biome.r16)"
expect 0 '' export --backend "$backend" --verify b_*.r16

# A sidecar without the parameters is of an earlier version, and means their default values.
sed '/"warmth"\|"wetness"\|"sand"\|"glaciers"\|"drought"\|"wind"/d; s/"continents":\(.*\),/"continents":\1/; /"belts"/d' a_temperature.r32.json >old.json
grep -q warmth old.json && fail "cannot make an old sidecar: $(cat old.json)"
cp a_temperature.r32.json kept.json
cp old.json a_temperature.r32.json
expect 0 '' export --backend "$backend" --verify a_temperature.r32
cp kept.json a_temperature.r32.json

# ---- parameters ----
write --warmth 7.5 --wetness 0.5 --belts 3000 --layer $layers,height -o 'c_{layer}.r32'
printf '[world]\nbasis = fluvial\nwarmth = 7.5\nwetness = 0.5\nbelts = 3000\n' >own.ini
write --world own.ini --layer $layers,height -o 'd_{layer}.r32'
for layer in ${layers//,/ } height; do cmp -s c_$layer.r32 d_$layer.r32 ||
  fail "$layer of options and of a world file"; done
write -o e_height.r32
cmp -s c_height.r32 e_height.r32 || fail "the climate changes heights"
for layer in temperature precipitation; do cmp -s a_$layer.r32 c_$layer.r32 && fail "$layer follows no parameter"; done
expect 0 '' export --backend "$backend" --verify c_*.r32
expect 0 '' probe --backend "$backend" --layer temperature,biome $at
expect 2 "warmth is '100', expected .*-60 to 60" export --warmth 100 --size 9x9 -o n.r32
expect 2 "wetness is '-1', expected .*0 to 5" export --wetness=-1 --size 9x9 -o n.r32
expect 2 "belts is '0', expected .*500 to 100000" export --belts 0 --size 9x9 -o n.r32
expect 2 "warmth is 'hot'" export --warmth hot --size 9x9 -o n.r32
expect 2 'belts has no meaning in a world of basis smooth' export --basis smooth --belts 900 --size 9x9 -o n.r32
expect 2 'layer.* biome.* basis' export --basis smooth --layer biome --size 9x9 -o n.r32
printf '[world]\nwetness = 6\n' >wrong.ini
expect 2 "wetness is '6', expected .*0 to 5" export --world wrong.ini --size 9x9 -o n.r32

# ---- sand ----
[ "$(figure sand a_snow.r32.json) $(figure wind a_snow.r32.json)" = '0 60' ] || fail "sand: $(cat a_snow.r32.json)"
dunes() {
  "$terrane" export --backend "$backend" --lod 3 --at $at --size 24x18 "$@" 2>err || fail "export $*: $(cat err)"
}
desert='--wetness 0 --warmth 20 --hills -1 --plateau -1 --uplift -1 --land 1'
dunes $desert --wind 90 -o f_height.r32
dunes $desert --sand 1 --wind 90 -o g_height.r32
dunes $desert --sand 1 --wind 180 -o h_height.r32
printf '[world]\nwetness = 0\nwarmth = 20\nhills = -1\nplateau = -1\nuplift = -1\nland = 1\nsand = 1\nwind = 90\n' >sand.ini
dunes --world sand.ini -o i_height.r32
cmp -s f_height.r32 g_height.r32 && fail "sand changes no heights"
cmp -s g_height.r32 h_height.r32 && fail "the wind changes no dunes"
cmp -s g_height.r32 i_height.r32 || fail "sand of options and of a world file"
expect 0 '' export --backend "$backend" --verify g_height.r32
expect 2 "sand is '2', expected .*0 to 1" export --sand 2 --size 9x9 -o n.r32
expect 2 "wind is '400', expected .*0 to 360" export --wind 400 --size 9x9 -o n.r32
expect 2 'sand has no meaning in a world of basis smooth' export --basis smooth --sand 1 --size 9x9 -o n.r32

# ---- styles of maps ----
if ! lacks 'PNG files' && ! lacks 'the viewer'; then
  for style in relief climate biome; do
    "$terrane" export --backend "$backend" --lod 12 --at $at --size 400x90 --format map --map-style $style \
      -o $style.png \
      2>err || fail "map style $style: $(cat err)"
  done
  "$terrane" export --backend "$backend" --lod 12 --at $at --size 400x90 --format map -o usual.png 2>err ||
    fail "$(cat err)"
  cmp -s usual.png relief.png || fail "the usual style is not relief"
  cmp -s climate.png relief.png && fail "style climate is relief"
  cmp -s climate.png biome.png && fail "style biome is style climate"
  grep -q '"map_style":.*"biome"' biome.png.json || fail "no style in the sidecar: $(cat biome.png.json)"
  grep -q map_style relief.png.json && fail "style relief in the sidecar"
  expect 2 'map-style is biome, but a world of basis smooth has no climate' export --basis smooth --format map \
    --map-style biome --size 9x9 -o n.png
fi
expect 2 'map-style is for format map, not for format r32' export --map-style biome --size 9x9 -o n.r32
expect 2 "map-style.* 'cold'.*relief, climate or biome" export --format map --map-style cold --size 9x9 -o n.png
[ -z "$(ls n.* 2>/dev/null)" ] || fail "refused exports left $(ls n.*)"
finish
