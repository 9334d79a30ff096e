#!/bin/bash
# test_mujoco.sh TERRANE - presets for robot simulators: MuJoCo finds the right heights in the files of preset mujoco,
# and the files and printed numbers of presets gazebo and isaac agree with the heights.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
guide=$tests/../../assets/worlds-guide # worlds of basis smooth, which are made fast
. "$tests/../tools/python_environment.sh"
if lacks sidecars || lacks checksums ||
  lacks 'PNG files'; then echo "skipped: this build has no JSON, checksums or PNG files" >&2; exit 77; fi
need_packages numpy scipy networkx trimesh mujoco
w=129 h=97 x=44224 z=17920 lod=0
land() { "$terrane" export --backend cpu --world "$guide/smooth-fjords.ini" --at $x,$z --lod $lod "$@" 2>err ||
  fail "export $*: $(cat err)"; }

# ---- MuJoCo ----
land --size ${w}x$h -o a.r32
od -An -tf4 -N4 a.r32 >first
"$terrane" probe --world "$guide/smooth-fjords.ini" $x,$z 2>/dev/null | awk '{print $3}' >probed
awk 'NR == FNR { a = $1; next } { exit !(a - $1 < 1e-3 && $1 - a < 1e-3) }' first probed ||
  fail "raw heights differ from probe: $(cat first probed)"
land --preset mujoco --size ${w}x$h -o land.hfield
cp err said
grep -q '<hfield name="land" file="land.hfield" size="64 48 ' said || fail "the hfield's line: $(cat said)"
[ "$(od -An -td4 -N8 --endian=little land.hfield | tr -s ' ')" = " $h $w" ] ||
  fail "rows and columns: $(od -An -td4 -N8 land.hfield)"
land --preset mujoco --size 65x65 --tiles 2x1 -o t.hfield
cat err >>said
land --size 129x65 -o two.r32
PYTHONDONTWRITEBYTECODE=1 "$python" "$tests/test_mujoco.py" said >log 2>&1 || fail "MuJoCo: $(tail -4 log)"
grep 'the ball' log
expect 0 '' export --verify land.hfield t_x1_y0.hfield
land --preset mujoco --size ${w}x$h --resume --force -o land.hfield
grep -q 'complete already' err || fail "--resume: $(cat err)"
expect 2 'cannot stand in the lines' export --preset mujoco --size 9x9 -o 'n"a.hfield'
expect 2 'first row of hfield is the southern one' export --preset mujoco --size 9x9 --row-order north -o n.hfield
expect 2 'byte-order is for raw formats' export --preset mujoco --size 9x9 --byte-order be -o n.hfield
expect 2 'takes 2 or more samples' export --preset mujoco --size 1x9 -o n.hfield
expect 2 'preset mujoco takes hfield' export --preset mujoco --size 9x9 --format r32 -o n.r32

# ---- Gazebo: the highest sample is drawn <size> z above the z of <pose> ----
land --preset gazebo --size 129x129 --range=-500,2500 -o g.png
size=$(sed -n 's/.*<size>128 128 \([0-9.]*\)<.*/\1/p' err)
grep -q '<pose>0 0 -500 0 0 0</pose>' err || fail "gazebo's pose: $(cat err)"
awk -v size="$size" -v max="$(figure max_m g.png.json)" \
  'BEGIN { d = size - (max + 500); exit !(d < 0.03 && d > -0.03) }' ||
  fail "gazebo's size is $size, the highest point $(figure max_m g.png.json)"
expect 2 'preset gazebo takes 33, 65, 129' export --preset gazebo --size 128x128 -o n.png

# ---- Isaac: metres, z up ----
land --preset isaac --size 65x65 --max-error 1 -o i.obj
grep -q 'apply_translation((-32, 32, -HEIGHT))' err || fail "isaac's middle: $(cat err)"
"$python" - <<'END' || fail "isaac's mesh"
import trimesh
mesh = trimesh.load("i.obj", process=False)
low, high = mesh.bounds
assert (low[:2] == [0, -64]).all() and (high[:2] == [64, 0]).all() and (mesh.face_normals[:, 2] > 0).all()
END
expect 2 'preset isaac takes obj or stl' export --preset isaac --size 65x65 --format glb -o n.glb
[ -z "$(ls n.* 2>/dev/null)" ] || fail "a refused export left files"
for preset in mujoco gazebo isaac; do
  expect 0 '' export --preset $preset --help
  grep -q "^Preset $preset\." out || fail "--preset $preset --help does not say what to enter"
done
finish
