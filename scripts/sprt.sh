#!/usr/bin/env bash
# Builds two commits and tests whether the first is stronger than the second.
#
#   scripts/sprt.sh NEW [OLD] [-- more arguments of kagetsu match]
#
# NEW and OLD are commits; OLD is main by default. A NEW of "." is the working tree as it is. The usual test: fixed
# nodes, balanced openings of one rule, normalised Elo [0, 10]. Variables of the environment and their defaults:
#   RULE=freestyle SIZE=15 NODES=20000 ELO0=0 ELO1=10 SEED=1 CONCURRENCY=2 OPENINGS=book/openings/RULE-SIZE.txt OUT=directory
# With TIME=100ms the time for each move is fixed instead of the nodes: for changes of speed. Neither side uses its book.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/quoting.sh

if [ $# -lt 1 ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
fi
new=$1 old=main
shift
if [ $# -gt 0 ] && [ "$1" != -- ]; then
    old=$1
    shift
fi
if [ $# -gt 0 ]; then
    if [ "$1" != -- ]; then
        echo "sprt.sh: '$1' where -- was expected, before arguments of kagetsu match" >&2
        exit 2
    fi
    shift
fi

rule=${RULE:-freestyle} size=${SIZE:-15}
openings=${OPENINGS:-book/openings/$rule-$size.txt}
if [ ! -f "$openings" ]; then
    echo "sprt.sh: no list $openings: OPENINGS names another, such as book/openings/caro-15.txt for caro6" >&2
    exit 2
fi
work=$(mktemp -d)
out=$(realpath -m "${OUT:-$work/games}")
program=${CARGO_TARGET_DIR:-target}/release/kagetsu

cleanup() {
    for side in new old; do
        if [ -d "$work/$side/.git" ] || [ -f "$work/$side/.git" ]; then
            git worktree remove --force "$work/$side"
        fi
    done
    # Removes the builds, and the temporary folder unless it has the games of a test that began.
    rm -rf "$work/target"
    if [ -n "${OUT:-}" ] || [ ! -e "$out/plan.json" ]; then rm -rf "$work"; fi
}
trap cleanup EXIT

if [ -e "$out/plan.json" ]; then
    echo "$out holds a test already; $(quoted "$program") match --resume $(quoted "$out") continues it" >&2
    exit 1
fi
# The engines lie with the games, so that a stopped test can continue.
mkdir -p "$out"

# Builds the engine of a commit. Both share a target directory, so the dependencies they have in common are built once.
build() { # name, commit
    local tree=$work/$1
    if [ "$2" = . ]; then
        tree=$PWD
    else
        git worktree add --quiet --detach "$tree" "$2"
    fi
    (cd "$tree" && CARGO_TARGET_DIR="$work/target" cargo build --quiet --release -p kagetsu --bin pbrain-kagetsu)
    cp "$work/target/release/pbrain-kagetsu" "$out/pbrain-$1"
}

# Committed to main, a change is on both sides of a test against main.
commits=()
for source in "$new" "$old"; do
    if [ "$source" != . ]; then commits+=("$source"); fi
done
engine=(src book build.rs Cargo.toml Cargo.lock rust-toolchain.toml)
if [ ${#commits[@]} -eq 0 ] || git diff --quiet "${commits[@]}" -- "${engine[@]}"; then
    echo "warning: $new and $old are the same engine; after a commit to main, OLD is main~1" >&2
fi
echo "building $new and $old" >&2
build new "$new"
build old "$old"
rm -rf "$work/target"
cargo build --quiet --release -p kagetsu-cli

limit=(--nodes "${NODES:-20000}")
if [ -n "${TIME:-}" ]; then limit=(--time "$TIME"); fi
# A signal stops the match, too, and then runs `cleanup`.
. scripts/stoppable.sh
# shellcheck disable=SC2034 # stoppable.sh reads it
how_to_continue="$(quoted "$program") match --resume $(quoted "$out") continues the test"
work "$program" match \
    --engine "name=new $(quoted "$out/pbrain-new") --no-book" --engine "name=old $(quoted "$out/pbrain-old") --no-book" \
    --rule "$rule" --size "$size" --openings "$openings" --seed "${SEED:-1}" --transform \
    "${limit[@]}" --threads 1 --concurrency "${CONCURRENCY:-2}" \
    --sprt "elo0=${ELO0:-0}" "elo1=${ELO1:-10}" alpha=0.05 beta=0.05 model=normalized \
    --out "$out" "$@"
echo "games: $out" >&2
