#!/bin/bash
# test_golden.sh TERRANE PICTURE_COMPARE GOLDEN_FOLDER [make] - pictures of worlds, layers and times of day look like
# those in GOLDEN_FOLDER. With `make` they are written to it instead.
set -u
terrane=$1 compare=$2 golden=$3 mode=${4:-check} backend=cpu
guide=$(cd "$(dirname "$0")/../../assets/worlds-guide" && pwd) # worlds of basis smooth, which are made fast
. "$(dirname "$0")/../tools/shell.sh"

# Name and options of each picture. The default quality is medium. Every layer is in a picture of quality medium. Other
# pictures have quality low, which takes a third of the time.
pictures='
alps        --world $guide/smooth-alps.ini --at 44224,17920 --altitude 400 --heading 250 --pitch -8
archipelago --world $guide/smooth-archipelago.ini --at 31872,14144 --altitude 150 --heading 60 --pitch -6 --quality low
badlands    --world $guide/smooth-badlands.ini --at 20000,20000 --altitude 200 --time 8 --quality low
dunes       --world $guide/smooth-dunes.ini --at 20000,20000 --altitude 90 --pitch -6 --time 7.3 --quality low
fjords      --world $guide/smooth-fjords.ini --at 30000,20000 --altitude 500 --pitch -8 --time 16 --quality low
moon        --world moon --at 20000,20000 --altitude 500 --pitch -8 --time 7.5 --quality low
steppe      --world $guide/smooth-steppe.ini --at 20000,20000 --altitude 150 --pitch -6 --time 17 --quality low
talk        --world talk --at 34560,0 --altitude 400 --quality low
space       --basis smooth --at 1918048,2540640 --altitude 200000 --pitch -20
shore       --basis smooth --at 1918048,2540640 --altitude 3 --heading 60
night       --world $guide/smooth-alps.ini --at 44224,17920 --altitude 400 --heading 250 --pitch -5 --time 0.5 --quality low
dusk        --world $guide/smooth-archipelago.ini --at 31872,14144 --altitude 60 --heading 270 --pitch -3 --time 18.2 --quality low
terrain     --world $guide/smooth-alps.ini --at 44224,17920 --altitude 400 --heading 250 --pitch -8 --layers terrain --quality low
sky         --world $guide/smooth-alps.ini --at 44224,17920 --altitude 400 --heading 90 --pitch 10 --time 6 --layers sky
water       --basis smooth --at 1918048,2540640 --altitude 60 --pitch -12 --layers water,sky
clouds      --world $guide/smooth-fjords.ini --at 60000,50000 --altitude 3000 --pitch -20 --layers sky,clouds
shadows     --world $guide/smooth-alps.ini --at 44224,17920 --altitude 400 --heading 250 --pitch -8 --time 17.5 --layers terrain,sky,shadows --quality low
rivers      --basis fluvial --at -1048300,1947000 --altitude 300 --heading 20 --pitch -14 --time 12 --quality low
lake        --basis fluvial --continents 0 --land 0.6 --ice 0.6 --at 1158552,-358505 --altitude 300 --heading 275 --pitch -14 --time 16.5
morph       --world $guide/smooth-alps.ini --at 44224,17920 --altitude 400 --heading 250 --pitch -8 --morph-to 99,2 --fps 1 --frames 2 --quality low
'
[ "$mode" = make ] && mkdir -p "$golden"
while read -r name options; do
  [ -n "$name" ] || continue
  case $options in *--frames*) ;; *) options="$options --frames 1" ;; esac
  "$terrane" fly --headless --backend cpu --quality medium --size 256x144 \
    --screenshot "$name.png" ${options//\$guide/$guide} 2>err || { fail "$name: $(cat err)"; continue; }
  if [ "$mode" = make ]; then
    cp "$name.png" "$golden/$name.png"
  else
    "$compare" "$name.png" "$golden/$name.png" 2.0 >/dev/null 2>err || fail "$name: $(cat err)"
  fi
done <<<"$pictures"
finish
