#!/usr/bin/env bash
# Builds the opening book in the program, book/kagetsu.book, with the nets in the program.
#
#   scripts/build-book.sh
#
# After an interruption the same command continues. Variables of the environment:
#   NODES=10000    nodes of a position's first search; confirming searches take 4 times as many, reviews 20 times
#   SCALE=100      per cent of the positions of the usual book
#   THREADS=       threads, one for each core without it
#   SAMPLE=500     moves that are checked with 20 times the nodes once more
#   KAGETSU=       a program that is built already
set -euo pipefail

cd "$(dirname "$0")/.."
. scripts/stoppable.sh

nodes=${NODES:-10000} scale=${SCALE:-100} sample=${SAMPLE:-500}
threads=${THREADS:+--threads $THREADS}
kagetsu=${KAGETSU:-${CARGO_TARGET_DIR:-target}/release/kagetsu}
parts=target/book

if [ -z "${KAGETSU:-}" ]; then work cargo build --release -p kagetsu-cli; fi
mkdir -p "$parts"

# rule, size, positions, and further beginnings
while read -r rule size positions roots; do
    part=$parts/$rule-$size.part
    echo "$rule $size" >&2
    # shellcheck disable=SC2086 # no argument, or several
    work "$kagetsu" book build "$part" --rule "$rule" --size "$size" --nodes "$nodes" $threads \
        --positions $((positions * scale / 100)) ${roots:+--roots $roots}
done <<'PARTS'
renju 15 1800
freestyle 15 1200
freestyle 20 1200 book/gomocup-20.offset
standard 15 1200
caro 15 600
PARTS

work "$kagetsu" book merge --force book/kagetsu.book "$parts"/*.part
work "$kagetsu" book stats --book book/kagetsu.book
# shellcheck disable=SC2086
work "$kagetsu" book check --book book/kagetsu.book --sample "$sample" --times 20 $threads
