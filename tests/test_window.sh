#!/bin/bash
# test_window.sh TERRANE PICTURE_CHECK [BACKEND] - a real window under Xvfb, keys typed and mouse moved by xdotool.
set -u
terrane=$1 check=$2
backend=${3:-cpu}
for tool in Xvfb xdotool; do
  command -v $tool >/dev/null || { echo "skipped: $tool is missing" >&2; exit 77; }
done
. "$(dirname "$0")/shell.sh"
if lacks windows; then
  echo "skipped: this build has no windows" >&2
  exit 77
fi
number=$((90 + $$ % 400))
Xvfb :$number -screen 0 1024x768x24 >"$folder/xvfb.log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$folder"' EXIT
export DISPLAY=:$number
unset WAYLAND_DISPLAY
for n in $(seq 50); do xdotool getdisplaygeometry >/dev/null 2>&1 && break; sleep 0.1; done
"$terrane" fly --backend "$backend" --size 320x200 --quality low --stats s.json >out 2>err &
program=$!
window=$(timeout 60 xdotool search --sync --onlyvisible --name '^Terrane$' | head -1)
[ -n "$window" ] || { cat err; fail "no window"; exit 1; }
sleep 3
xdotool windowfocus "$window"

picture() { # press F12, wait for picture N
  xdotool key F12
  for n in $(seq 100); do [ -s "terrane-$1.png" ] && return; sleep 0.1; done
  fail "F12 wrote no terrane-$1.png"
}
press() { xdotool key "$1"; sleep 0.4; }

press p     # autopilot off: hover
press u     # instruments off
sleep 2
press space # pause: nothing moves now
picture 1
press h     # help over the picture
picture 2
cmp -s terrane-1.png terrane-2.png && fail "H shows no help"
press h
picture 3
cmp -s terrane-1.png terrane-3.png || fail "H does not take the help away, or the pause does not hold"
press space
xdotool keydown w; sleep 1.5; xdotool keyup w; sleep 1
press space
picture 4
cmp -s terrane-3.png terrane-4.png && fail "W does not move"
xdotool mousemove --window "$window" 160 100 click 1; sleep 0.3
xdotool mousemove_relative 60 0; sleep 0.5
picture 5
cmp -s terrane-4.png terrane-5.png && fail "the mouse does not turn the view"
xdotool windowsize --sync "$window" 400 240; sleep 1
picture 6
"$check" terrane-6.png 400 240 0 200 || fail "resized picture"
press x     # mark the ground in view
grep -qE '^terrane export .*--at .* --size .* -o ground.tif$' out || fail "X prints no command: $(cat out)"
picture 7
cmp -s terrane-6.png terrane-7.png && fail "X marks nothing"
press F11
sleep 1
press g
press F11
press Escape # releases the mouse
kill -0 $program 2>/dev/null || fail "the first Esc, with the mouse captured, ends the flight"
press Escape # quits
for n in $(seq 100); do kill -0 $program 2>/dev/null || break; sleep 0.1; done
kill -0 $program 2>/dev/null && { fail "Esc does not quit"; kill $program; }
wait $program
got=$?
[ $got -eq 0 ] || fail "exit status $got: $(cat err)"
[ "$(figure gl_errors s.json)" = 0 ] || fail "GL errors: $(grep -A3 gl_error_texts s.json)"
[ "$(figure frames s.json)" -gt 20 ] || fail "only $(figure frames s.json) frames"
finish
