#!/usr/bin/env bash
# Builds the programs for release with the profile of real searches (profile-guided optimisation).
#
#   scripts/pgo.sh OUT
#
# Puts kagetsu and pbrain-kagetsu into OUT. Three steps: a build that counts how often each branch is taken, searches
# and self-play games under every rule with it, and the build that uses the counts. The programs compute the same. The gain
# in speed depends on the compiler and the processor; scripts/compare-speed.sh measures it. With link-time optimisation there
# was none (docs/search.md). Needs the toolchain's llvm-tools.
set -euo pipefail

if [ $# -ne 1 ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

fail() {
    echo "pgo.sh: $*" >&2
    exit 1
}

host=$(rustc -vV | sed -n 's/^host: //p')
profdata=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
# A profile can only be merged by tools of the compiler's own LLVM.
[ -x "$profdata" ] || fail "no $profdata: add the tools by 'rustup component add llvm-tools'"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# When a target is named, cargo does not pass the flags to build scripts and macros, so their branches are not counted.
# Encoded flags are separated by the unit separator, so the flag may name a path with spaces.
build() { # programs, flag of the compiler
    local flags
    read -ra flags <<<"${RUSTFLAGS:-}"
    flags+=("$2")
    CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && printf %s "${flags[*]}") cargo build --quiet --release "$1" --target "$host"
}
kagetsu=${CARGO_TARGET_DIR:-target}/$host/release/kagetsu

# Runs the program and keeps its answer in a file.
run() { "$kagetsu" "$@" >"$work/answer"; }

signature() { sed -n 's/.*"signature":\([0-9]*\).*/\1/p' "$work/answer"; }

echo "1. building the program that counts" >&2
build --bin=kagetsu "-Cprofile-generate=$work/counts"

echo "2. searching" >&2
run bench --json
expected=$(signature)
for rule in freestyle standard renju caro caro6; do
    size=15
    [ "$rule" = freestyle ] && size=20
    run selfplay make "$work/$rule.games" --rule "$rule" --size "$size" --games 4 --nodes 5000 --threads 1
    run analyze h8h9i8 --rule "$rule" --nodes 500000 --threads 1 --hash 64M
done
ls "$work"/counts/*.profraw >/dev/null 2>&1 || fail "the searches left no counts in $work/counts"
"$profdata" merge -o "$work/profile" "$work"/counts/*.profraw

echo "3. building with the profile" >&2
build --bins "-Cprofile-use=$work/profile"
run bench --json
[ "$(signature)" = "$expected" ] || fail "the signature was $expected and is $(signature): the build is wrong"
cp "$kagetsu" "$(dirname "$kagetsu")/pbrain-kagetsu" "$out"
echo "signature $expected; the programs are in $out" >&2
