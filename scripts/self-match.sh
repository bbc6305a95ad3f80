#!/usr/bin/env bash
# Plays a short match of the engine against itself under every rule. Fails on any fault: an illegal move, a crash, or a
# move that exceeds its time by more than TOLERANCE (500ms, for a busy machine). Needs the release build.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/quoting.sh

built=${CARGO_TARGET_DIR:-target}/release
kagetsu=${KAGETSU:-$built/kagetsu} pbrain=${PBRAIN:-$built/pbrain-kagetsu}
tolerance=${TOLERANCE:-500ms}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
engine=$(quoted "$pbrain")

play() { # rule, size
    "$kagetsu" match --engine "name=a $engine" --engine "name=b $engine" \
        --rule "$1" --size "$2" --games 4 --time 50ms --tolerance "$tolerance" --startup 1m --concurrency 2 \
        --out "$out/$1-$2" --json >"$out/events"
    if ! grep '"event":"end"' "$out/events" | grep '"games":4' | grep -q '"faults":\[\]'; then
        echo "faults under $1, size $2:"
        cat "$out/events"
        exit 1
    fi
    echo "$1 $2: 4 games, no fault"
}

play freestyle 20
play standard 15
play renju 15
play caro 15
play caro6 15
