#!/bin/bash
# test_spacing.sh TERRANE - worlds at the limits of spacing, 0.001 and 1,000,000 m, with heights at their limits: no
# number of any format and layer is NaN or infinite, except the water of dry samples; other programs read the files, and
# --verify accepts them.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
python=/usr/bin/python3
if lacks sidecars || lacks checksums; then echo "skipped: this build has no JSON, or no checksums" >&2; exit 77; fi
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: numpy is missing" >&2; exit 77; }
write() { "$terrane" export --backend cpu --spacing "$spacing" "$@" 2>err ||
  fail "export --spacing $spacing $*: $(cat err)"; }
end=$((1 << 46))
great="--basis smooth --amplitude 1e30 --base 1e30 --gain 0.99 --broad 24 --broad-gain 1 --valley 0"
small="--basis midpoint --amplitude 1e-30 --base 0 --valley 0"

# all WORLD PLACE NAME   export every format, and layers that all worlds have
all() {
  local world=$1 place=$2 name=$3 layers=height,slope,curvature
  lacks 'PNG files' || layers=$layers,normal,splat
  # shellcheck disable=SC2086
  {
    write $world $place --size 33x17 --layer $layers -o "${name}_{layer}.r32"
    for format in exr tif; do
      case $format in exr) lacks OpenEXR && continue ;; tif) lacks TIFF && continue ;; esac
      write $world $place --size 33x17 --layer height,slope,curvature -o "${name}_{layer}.$format"
    done
    lacks TIFF || write $world $place --size 33x17 --layer height,slope,curvature --format tiff16 \
      -o "${name}16_{layer}.tif"
    for format in r16 pgm hfield stl obj glb; do write $world $place --size 33x17 -o $name.$format; done
    lacks 'PNG files' || write $world $place --size 33x17 --tiles 2x1 -o $name.png
    write $world $place --size 33x17 --max-error 0 --skirt 1 -o ${name}_skirt.glb
    write $world $place --size 33x17 --tiles 2x2 --solid 1 -o ${name}_solid.stl
    lacks 'the viewer' || write $world $place --size 33x17 --texture -o ${name}_texture.glb
    lacks 'the viewer' || write $world $place --size 33x17 --format map -o ${name}_map.png
  }
}
for spacing in 0.001 1000000; do
  all "$great" '--lod 0 --at -1000,5000' "great$spacing"
  all "$small" '--lod 0 --at -1000,5000' "small$spacing"
  all "$great --levels 24" "--lod 24 --at $((-end + (100 << 24))),$((end - (100 << 24)))" "far$spacing"
  all '' '--lod 0 --at 61120,32000' "land$spacing"
  write --at 61120,32000 --size 9x9 --layer water,flow,shore,relief,plain,plateau,ice,dryness,land,top \
    -o "rivers$spacing{layer}.r32"
  for preset in unity unreal godot gaea worldmachine blender gdal mujoco gazebo isaac; do
    side=33
    case $preset in unreal) side=127 ;; godot) lacks OpenEXR && continue ;; gazebo | blender) lacks 'PNG files' &&
      continue ;; gdal) lacks TIFF && continue ;; esac
    "$terrane" export --backend cpu --basis smooth --spacing $spacing --preset $preset --size ${side}x$side \
      -o "p_$preset${spacing/./_}" 2>said ||
      fail "--preset $preset --spacing $spacing: $(cat said)"
    grep -qwiE -- '-?(nan|inf)' said && fail "--preset $preset --spacing $spacing says $(grep -wiE 'nan|inf' said)"
  done
  write --basis smooth --tiles 2x2 --size 9x9 -o "v$spacing.r32"
done
# shellcheck disable=SC2046
expect 0 '' export --backend cpu --verify $(ls | grep -E '\.(r32|r16|png|tif|exr|pgm|hfield|glb|stl|obj)$' |
  grep -v _map.png)
PYTHONPATH=$tests/../tools PYTHONDONTWRITEBYTECODE=1 "$python" "$tests/test_spacing.py" >log 2>&1 ||
  fail "numbers: $(tail -3 log)"
if command -v gdalinfo >/dev/null; then
  for spacing in 0.001 1000000; do
    size=$(printf 'Pixel Size = (%.15f,-%.15f)' $spacing $spacing)
    for file in land${spacing}_height.r32 v$spacing.vrt land${spacing}_height.tif land${spacing}_x0_y0.png; do
      [ -e $file ] || continue
      gdalinfo $file >log 2>/dev/null
      grep -qF "$size" log || fail "$file: $(grep Pixel log), expected $size"
    done
  done
fi

# ---- beyond the limits ----
expect 0 '' export --backend cpu --basis smooth --size 9x9 -o a.r32
for spacing in 1e39 1e308 1e-300 1e-20 0.0009 1000001; do
  for file in b.r32 b.glb b.stl b.tif; do
    expect 2 "spacing is '$spacing', expected a number from 0.001 to 1000000" export --backend cpu --size 9x9 \
      --spacing $spacing -o $file
  done
  sed "s/\"spacing\":.*/\"spacing\":\t$spacing/" a.r32.json >c.r32.json; cp a.r32 c.r32
  expect 3 "sidecar of 'c.r32' has no valid world: spacing is .*, expected 0.001 to 1000000 m" export --backend cpu \
    --verify c.r32
done
[ -z "$(ls b.* 2>/dev/null)" ] || fail "a refused spacing left $(ls b.*)"
finish
