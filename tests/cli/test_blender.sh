#!/bin/bash
# test_blender.sh TERRANE - Blender reads meshes through its Python module.
set -u
tests=$(cd "$(dirname "$0")" && pwd) terrane=$1 backend=cpu
. "$tests/../tools/shell.sh"
guide=$tests/../../assets/worlds-guide # earlier versions of the worlds, of basis smooth
environment_of=blender # bpy needs an older numpy
. "$tests/../tools/python_environment.sh"
if lacks 'the viewer'; then echo "skipped: this build has no textures" >&2; exit 77; fi
need_packages numpy bpy
land() { "$terrane" export --backend cpu --world "$guide/smooth-alps.ini" --at 44224,17920 --lod 2 \
  --size 161x113 "$@" 2>err || fail "export $*: $(cat err)"; }
land -o a.r32
land --max-error 1.5 --texture -o reduced.glb
land --solid 50 --max-error 3 -o solid.stl
land -o y.obj
PYTHONDONTWRITEBYTECODE=1 timeout 600 "$python" "$tests/test_blender.py" >log 2>&1 || fail "Blender: $(tail -4 log)"
[ "$(grep -c ^check_ log)" -eq 3 ] || fail "checks: $(tail -4 log)"
finish
