#!/bin/bash
# test_docs.sh SOURCE TERRANE LIBRARY COMPILER - checks the documents: links and their headings, functions named in
# pages about code, and files named in any page outside docs/lab exist. architecture.md lists the rooms, which are
# folders, in the order of scripts/check-includes. README.md has at most 6 KiB. Commands and C programs marked "run"
# are run: a block "```sh run" by a shell, a block "```c run" after compiling it against LIBRARY, the shared library.
# The blocks of one document share a folder, which has a copy of assets/guides, and run in order. Flights that name no
# quality are drawn at low.
# test_docs.sh -x SOURCE - the same without commands and programs.
set -u
commands=yes
[ "$1" = -x ] && commands= && shift
source=$(cd "$1" && pwd) terrane=${2:-} library=${3:-} compiler=${4:-cc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
fail() {
  echo "FAILED: $*" >&2
  failed=$((failed + 1))
}

cd "$source" || exit 1
documents=$(find . -name '*.md' -not -path './build*' -not -path './out/*' -not -path './.git/*' | sort)
[ "$(echo "$documents" | wc -l)" -ge 10 ] || fail "found only these documents: $documents"

# anchors FILE   the headings of a document in the form that links use
anchors() {
  awk '/^ *```/ { code = !code } !code && /^#+ / { sub(/^#+ */, ""); print tolower($0) }' "$1" |
    sed 's/\[\([^]]*\)\]([^)]*)/\1/g; s/[^[:alnum:] _-]//g; s/ /-/g'
}

# ---- links ----
n_links=0
for document in $documents; do
  links=$(awk '/^ *```/ { code = !code } !code && !/^    / { gsub(/`[^`]*`/, ""); print }' "$document" |
    grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//')
  for link in $links; do
    case $link in http://* | https://* | mailto:*) continue ;; esac
    path=${link%%#*} anchor=
    case $link in *'#'*) anchor=${link#*#} ;; esac
    target=$document
    [ -z "$path" ] || target=$(dirname "$document")/$path
    n_links=$((n_links + 1))
    if [ ! -e "$target" ]; then
      fail "$document: no file '$link'"
    elif [ -n "$anchor" ] && ! anchors "$target" | grep -qxF -- "$anchor"; then
      fail "$document: no heading '$link'"
    fi
  done
done
[ $n_links -ge 40 ] || fail "found only $n_links links"

# ---- names ----
n_names=0
pages="docs/architecture.md docs/library.md docs/glossary.md"
for name in $(grep -ohE '[a-z_][a-z0-9_]*\(\)' $pages | tr -d '()' | grep -v '^_' | sort -u); do
  n_names=$((n_names + 1))
  grep -rqE "(^|[^a-zA-Z0-9_])$name( *\(|<)" --include='*.[ch]' --include='*.cu' --include='*.cuh' src ||
    fail "no function '$name' in src"
done
[ $n_names -ge 60 ] || fail "$pages name only $n_names functions"

# ---- files ----
# Paths from the root, paths below src/ as in the glossary, and names of sources without a folder, as in READMEs.
n_files=0
names=$(find . \( -path ./build -o -path ./out -o -path ./.git \) -prune -o -type f -print | sed 's,.*/,,' | sort -u)
for document in $(echo "$documents" | grep -v '^./docs/lab/'); do
  for name in $(grep -oE '`[A-Za-z0-9_][A-Za-z0-9_./-]*`' "$document" | tr -d '`' | sort -u); do
    case $name in
      src/* | scripts/* | shaders/* | tests/* | docs/* | python/* | examples/* | assets/*) ;;
      library/* | program/* | include/*) ;;
      */* | *[A-Z][A-Z]*) continue ;;
      *.c | *.h | *.cu | *.cuh | *.comp | *.glsl | *.vert | *.frag) ;;
      *) continue ;;
    esac
    n_files=$((n_files + 1))
    case $name in
      */*) [ -e "$name" ] || [ -e "src/$name" ] || fail "$document: no '$name'" ;;
      *) echo "$names" | grep -qxF -- "$name" || fail "$document: no file '$name'" ;;
    esac
  done
done
[ $n_files -ge 100 ] || fail "found only $n_files names of files"

# ---- rooms ----
rooms=$(sed -n '/^ROOMS = \[/,/^\]/s/^ *"\(.*\)",$/\1/p' scripts/check-includes)
listed=$(awk '/^    (program|library|include)\// {
    room = $1; sub(/\/$/, "", room)
    if ($1 ~ /\/$/) roof = room "/"; else print room
  }
  /^      [a-z]/ && roof { print roof $1 } /^A file may include/ { exit }' docs/architecture.md)
[ "$(echo "$rooms" | wc -l)" -ge 20 ] || fail "found only these rooms: $rooms"
[ "$rooms" = "$listed" ] || fail "docs/architecture.md does not list the rooms of scripts/check-includes in their order:
$(diff <(echo "$rooms") <(echo "$listed"))"

# ---- size ----
size=$(wc -c <README.md)
[ "$size" -le 6144 ] || fail "README.md has $size bytes, expected at most 6144"

# ---- commands ----
# block FILE N KIND   the N-th block of a kind, without the indent of its fence
block() {
  awk -v wanted="$2" -v kind="$3" '
    /^ *```/ && inside { inside = 0; next }
    /^ *```/ {
      indent = match($0, /`/) - 1; is_kind = $0 ~ "^ *```" kind " run$"; n += is_kind
      inside = is_kind && n == wanted ? 1 : 2; next
    }
    inside == 1 { print substr($0, indent + 1) }' "$1"
}
run_blocks() {
  local document=$1 kind n text
  for kind in sh c; do
    for n in $(seq "$(grep -cE "^ *\`\`\`$kind run\$" "$document")"); do
      text=$(block "$document" "$n" $kind)
      n_blocks=$((n_blocks + 1))
      if [ $kind = sh ]; then
        printf '%s\n' "$text" >"$folder/block.sh"
        (cd "$folder/work" && PATH=$folder/bin:$PATH sh -eu "$folder/block.sh") >"$folder/said" 2>&1 </dev/null
      else
        printf '%s\n' "$text" >"$folder/block.c"
        # shellcheck disable=SC2086
        $compiler -std=c17 -Wall -Wextra -Werror -I"$source/src/include" "$folder/block.c" "$library" \
          -Wl,-rpath,"$(dirname "$library")" $sanitize -o "$folder/program" >"$folder/said" 2>&1 &&
          (cd "$folder/work" && "$folder/program") >"$folder/said" 2>&1
      fi || fail "$document: block $n of '$kind run' failed:
$text
$(tail -5 "$folder/said")"
    done
  done
}
if [ -n "$commands" ]; then
  command -v ffmpeg >/dev/null || { echo "skipped: ffmpeg is missing" >&2; exit 77; }
  "$terrane" fly --list-keys >"$folder/keys" || fail "terrane fly --list-keys failed"
  [ -s "$folder/keys" ] || fail "terrane fly --list-keys printed nothing"
  while IFS= read -r line; do
    grep -qxF -- "    $line" docs/flying.md || fail "docs/flying.md lacks the key '$line'"
  done <"$folder/keys"
  mkdir "$folder/bin"
  sanitize=
  ! nm -D "$library" | grep -q __asan_init || sanitize=-fsanitize=address,undefined
  # Flights that name no quality are drawn at low, because the default, high, takes minutes. The tests fly and
  # gpu_passes draw flights at high.
  cat >"$folder/bin/terrane" <<EOF
#!/bin/sh
case "\$* " in
  'fly --help '* | *' --quality '*) ;;
  'fly '*) set -- "\$@" --quality low ;;
esac
exec "$terrane" "\$@"
EOF
  chmod +x "$folder/bin/terrane"
  n_blocks=0
  for document in $documents; do
    rm -rf "$folder/work"
    mkdir "$folder/work"
    cp -r "$source/assets/guides" "$folder/work"
    run_blocks "$document"
  done
  [ $n_blocks -ge 10 ] || fail "found only $n_blocks blocks to run"
fi

[ $failed -eq 0 ] || exit 1
counts="$n_links links, $n_names functions, $n_files names of files, ${n_blocks:-0} blocks run"
echo "$(echo "$documents" | wc -l) documents, $counts: all as expected"
