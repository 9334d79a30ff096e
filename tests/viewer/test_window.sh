#!/bin/bash
# test_window.sh TERRANE PICTURE_CHECK [BACKEND] - a real window under Xvfb shows a flight, and reacts to keys and to
# movements of the mouse, which xdotool sends.
set -u
terrane=$1 check=$2
backend=${3:-cpu}
for tool in Xvfb xdotool; do
  command -v $tool >/dev/null || { echo "skipped: $tool is missing" >&2; exit 77; }
done
. "$(dirname "$0")/../tools/shell.sh"
if lacks windows; then
  echo "skipped: this build has no windows" >&2
  exit 77
fi
unset WAYLAND_DISPLAY
Xvfb -displayfd 3 -screen 0 1024x768x24 3>display >xvfb.log 2>&1 & # chooses a free display number
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$folder"' EXIT
await 60 test -s display || { cat xvfb.log; fail "no X server"; exit 1; }
DISPLAY=:$(cat display)
export DISPLAY
"$terrane" fly --backend "$backend" --basis smooth --at 1918048,2540640 --size 320x200 --quality low \
  --render-scale 100 --stats s.json >out 2>err &
program=$!
window=$(timeout 120 xdotool search --sync --onlyvisible --name '^Terrane$' | head -1)
[ -n "$window" ] || { cat err; fail "no window"; exit 1; }

# The window shows progress from the beginning: a bar while shaders are compiled, then the land that is made.
lit() { import -window "$window" first.png 2>/dev/null &&
  [ "$(convert first.png -format '%[fx:mean>0.1]' info:)" = 1 ]; }
if command -v import >/dev/null; then
  await 30 lit || fail "the window is black before its first frame"
fi

pictures=0 shot=
# picture   press F12 until the next picture exists, and set $shot to its name; before its first frame the window
# ignores F12
picture() {
  pictures=$((pictures + 1))
  shot=terrane-$pictures.png
  for n in $(seq 30); do
    xdotool windowfocus "$window" key F12
    await 2 test -s "$shot" && break
  done
  [ -s "$shot" ] || { fail "F12 wrote no $shot: $(cat err)"; exit 1; }
  while [ -e terrane-$((pictures + 1)).png ]; do pictures=$((pictures + 1)); done # picture of an earlier press
}
# differs PICTURE, matches PICTURE, has_size W H   take a picture and compare it
differs() { picture && ! cmp -s "$1" "$shot"; }
matches() { picture && cmp -s "$1" "$shot"; }
has_size() { picture && "$check" "$shot" "$1" "$2" 0 200 2>/dev/null; }
# still   check that two successive pictures are the same
still() { picture && matches "$shot"; }
# view   press C until the program prints the camera's view, and set $at to it
at=
view() {
  local before
  before=$(grep -c -- '--view' err)
  said() { [ "$(grep -c -- '--view' err)" -gt "$before" ]; }
  xdotool key c
  await 10 said || { fail "C says nothing: $(cat err)"; exit 1; }
  at=$(sed -n 's/.*--view //p' err | tail -1)
}
place() { view && cut -d, -f1-3 <<<"$at"; }
heading() { view && cut -d, -f4 <<<"$at"; }

picture     # the first frame is drawn
xdotool key p u # autopilot off: hover; instruments off
at_rest() { local first; first=$(place); [ "$first" = "$(place)" ]; }
await 30 at_rest || fail "the camera does not come to rest without the autopilot"
xdotool key space # pause: nothing moves now
await 30 still || fail "the pause does not hold"
paused=$shot
xdotool key h # help over the picture
await 10 differs "$paused" || fail "H shows no help"
xdotool key h
await 10 matches "$paused" || fail "H does not take the help away, or the pause does not hold"
before=$(place)
xdotool key space keydown w
moved() { [ "$(place)" != "$before" ]; }
await 10 moved || fail "W does not move"
xdotool keyup w
await 30 at_rest || fail "the camera does not come to rest without W"
before=$(heading)
xdotool mousemove --window "$window" 160 100 click 1
turned() { xdotool mousemove_relative 20 0 && [ "$(heading)" != "$before" ]; }
await 10 turned || fail "the mouse does not turn the view"
xdotool windowsize --sync "$window" 400 240
await 30 has_size 400 240 || fail "resized picture: $("$check" "$shot" 400 240 0 200 2>&1)"
xdotool key space
await 30 still || fail "the second pause does not hold"
paused=$shot
xdotool key x # mark the ground in view
await 10 grep -qE '^terrane export .*--at .* --size .* -o ground.tif$' out || fail "X prints no command: $(cat out)"
await 10 differs "$paused" || fail "X marks nothing"
# M begins a morph to the next seed, and a second M cancels it, also while it runs. N begins a short one.
seed() { xdotool key x; sleep 0.5; grep -c -- '--seed 2 ' out; }
xdotool key space m
sleep 1
xdotool key m
sleep 3
[ "$(seed)" = 0 ] || fail "M twice still becomes the next seed: $(tail -1 out)"
xdotool key n
came() { [ "$(seed)" -gt 0 ]; }
await 90 came || fail "N does not become the next seed: $(tail -1 out)"
xdotool key F11 g F11
view # the window still reacts
xdotool key Escape # releases the mouse
view # and the flight goes on
xdotool key Escape # quits
ended() { ! kill -0 $program 2>/dev/null; }
await 30 ended || { fail "Esc does not quit"; kill $program; }
wait $program
got=$?
[ $got -eq 0 ] || fail "exit status $got: $(cat err)"
[ "$(figure gl_errors s.json)" = 0 ] || fail "GL errors: $(grep -A3 gl_error_texts s.json)"
[ "$(figure frames s.json)" -gt 20 ] || fail "only $(figure frames s.json) frames"

# ---- frames smaller than their picture: by request, and by the time that they take ----
# scaled NAME WORDS...   fly for a short time in a window; its figures are in NAME.json
scaled() {
  "$terrane" fly --backend "$backend" --basis smooth --at 1918048,2540640 --size 320x200 --quality low --frames 6 \
    --stats "$1.json" \
    --screenshot "$1.png" "${@:2}" 2>err || fail "$*: $(cat err)"
  [ "$(figure gl_errors "$1.json")" = 0 ] || fail "$*: GL errors"
  "$check" "$1.png" 320 200 0 200 || fail "$*: picture"
}
scaled half --render-scale 50
[ "$(figure render_percent half.json)" = 50 ] || fail "--render-scale 50 draws $(figure render_percent half.json) %"
scaled whole --render-scale 100
cmp -s half.png whole.png && fail "half as many pixels make the same picture"
scaled auto
grep -q llvmpipe auto.json && [ "$(figure render_percent auto.json)" -ge 100 ] &&
  fail "although the CPU draws, the first frames are not smaller than the window"

# ---- shaders that were never compiled: land is shown before all are ready ----
if grep -q llvmpipe auto.json; then
  MESA_SHADER_CACHE_DIR=$PWD/cold "$terrane" fly --backend "$backend" --basis smooth --at 1918048,2540640 \
    --size 320x200 --frames 3 \
    --stats cold.json 2>err || fail "shaders that were never compiled: $(cat err)"
  picture_s=$(figure first_picture_s cold.json) view_s=$(figure first_view_s cold.json)
  awk "BEGIN { exit !(0 < ${picture_s:-0} && ${picture_s:-0} < 0.9 * ${view_s:-0}) }" ||
    fail "the first picture came after ${picture_s:-no} s, the first view after ${view_s:-no} s"
  [ "$(figure gl_errors cold.json)" = 0 ] || fail "GL errors: $(grep -A3 gl_error_texts cold.json)"
fi
finish
