#!/bin/bash
# test_header_versions.sh LIBRARY SOURCE COMPILER - programs compiled against an older and a newer header work with
# today's shared library. The older header lacks the last members of three structures; the newer one has one more
# in each.
set -eu
library=$1 source=$2 compiler=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
structures="ter_params ter_generator_options ter_target"
sanitize=
nm -D "$library" | grep -q __asan_init && sanitize=-fsanitize=address,undefined
nm -D "$library" | grep -q __tsan_init && sanitize=-fsanitize=thread

# edit_structure HEADERS NAME older|newer   remove the last member of a structure, or add one after it
edit_structure() {
  local header last
  header=$(grep -l "^} $2;" "$1"/terrane/*.h)
  last=$(awk -v end="} $2;" '$0 == end { print member; exit } /^    [a-z].*;/ { member = NR }' "$header")
  case $3 in
    older) awk -v end="} $2;" -v last="$last" '$0 == end { is_out = 0 } NR == last { is_out = 1 } !is_out' "$header" \
      >"$1/edited" ;;
    newer) awk -v end="} $2;" '$0 == end { print "    size_t newer_member;" } { print }' "$header" >"$1/edited" ;;
  esac
  mv "$1/edited" "$header"
}

for version in older today newer; do
  cp -r "$source/src/include" "$folder/$version"
  for structure in $structures; do
    [ $version = today ] || edit_structure "$folder/$version" "$structure" $version
  done
  define=
  [ $version = newer ] && define=-DNEWER
  # -w: the older header still has an initialiser that sets the removed member
  # shellcheck disable=SC2086
  "$compiler" -std=c17 -w $sanitize $define -I"$folder/$version" "$(dirname "$0")/installed/versions.c" "$library" \
    -Wl,-rpath,"$(dirname "$library")" -o "$folder/consumer-$version"
  "$folder/consumer-$version" >"$folder/said-$version" ||
    { echo "the consumer of the $version header failed" >&2; exit 1; }
  echo "$version: $(cat "$folder/said-$version")"
done

read -r -a older <"$folder/said-older"
read -r -a today <"$folder/said-today"
read -r -a newer <"$folder/said-newer"
for n in 0 1 2; do
  [ "${older[n]}" -lt "${today[n]}" ] && [ "${today[n]}" -lt "${newer[n]}" ] ||
    { echo "sizes ${older[n]}, ${today[n]}, ${newer[n]}: expected an older, smaller structure and a newer, larger one" \
      >&2; exit 1; }
done
for said in "${older[*]:3}" "${newer[*]:3}"; do
  [ "$said" = "${today[*]:3}" ] || { echo "$said, expected ${today[*]:3}" >&2; exit 1; }
done
