#!/usr/bin/env bash
# Trains nets from scratch: generations of self-play and training, for every rule.
#
#   scripts/train/pipeline.sh DIR [GENERATIONS] [GAMES] [NODES]
#
# DIR gets everything: games (gen0-renju-15.games, ...), the same with exploration samples (gen0-renju-15-walks.games and
# -tree.games, both together in -all.games, ...) and nets (gen1-renju.net, ...). The first generation plays with the weights
# set by hand, each later one with the nets trained before it. Stop it whenever you like and give the same command again:
# games, epochs and nets that are there are not made twice. More GENERATIONS add to what is there; other GAMES or NODES need
# another DIR. The programs are built first, unless PROGRAMS names a folder that has them.
set -euo pipefail

dir=${1:?"usage: scripts/train/pipeline.sh DIR [GENERATIONS] [GAMES] [NODES]"}
generations=${2:-3}
games=${3:-20000}
nodes=${4:-2000}
fail() { echo "pipeline.sh: $*" >&2; exit 1; }
for number in "$generations" "$games" "$nodes"; do
    [[ $number =~ ^[1-9][0-9]*$ ]] || fail "'$number': expected a whole number above 0 for GENERATIONS, GAMES and NODES"
done
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
if [ -n "${PROGRAMS:-}" ]; then PROGRAMS=$(cd "$PROGRAMS" && pwd); fi
cd "$(dirname "$0")/../.."
. scripts/stoppable.sh

if [ -z "${PROGRAMS:-}" ]; then
    work cargo build --release --bins -p kagetsu -p kagetsu-cli -p kagetsu-train
    PROGRAMS=${CARGO_TARGET_DIR:-target}/release
fi
programs=$(cd "$PROGRAMS" && pwd)

# Fails if DIR has sets with other numbers. An earlier version of this script wrote no order, but the first line of a file of
# games tells the nodes. A set with samples has all its games, and no set has more. That version also trained otherwise, so
# its trainings cannot be continued.
check_older() {
    local begun made all verdict count pattern='"nodes":([0-9]+)'
    for begun in "$dir"/gen*.net.checkpoint; do
        if [ -e "$begun" ]; then
            fail "$begun is of a training with the options of an earlier version; remove it, and the net is trained anew"
        fi
    done
    for made in "$dir"/gen*-[0-9][0-9].games; do
        if [ ! -e "$made" ]; then continue; fi
        if [[ $(head -n 1 "$made") =~ $pattern ]] && [ "${BASH_REMATCH[1]}" != "$nodes" ]; then
            fail "$made: ${BASH_REMATCH[1]} nodes a move; expected that number as NODES instead of $nodes, or a new DIR"
        fi
        all=${made%.games}-all.games
        # A set whose last block is damaged is repaired when it is continued.
        if [ -e "$all" ]; then verdict=$("$programs/kagetsu" selfplay verify "$all")
        else verdict=$("$programs/kagetsu" selfplay verify "$made") || continue; fi
        count=${verdict##*: }
        count=${count%% game*}
        if [ "$count" -gt "$games" ] || { [ -e "$all" ] && [ "$count" -ne "$games" ]; }; then
            fail "${verdict%, *}; expected that number as GAMES instead of $games, or a new DIR"
        fi
    done
}

# Sets and nets that are there are not made again, so other numbers would be ignored.
order="$games games, $nodes nodes"
if [ ! -s "$dir/order" ]; then
    check_older
    echo "$order" >"$dir/order"
fi
found=$(cat "$dir/order")
if [ "$found" != "$order" ]; then
    fail "$dir: its sets have $found a move; expected these GAMES and NODES instead of $games and $nodes, or a new DIR"
fi

# Freestyle is played on two sizes and has one net.
sizes() { if [ "$1" = freestyle ]; then echo 15 20; else echo 15; fi; }

# Games of one generation, rule and size, by the newest net, and the same games with exploration samples: after random
# walks, and of the positions that searches evaluate, which count twice.
make_games() { # generation, rule, size
    local net=hand set=$dir/gen$1-$2-$3
    local made=$set.games walks=$set-walks.games tree=$set-tree.games all=$set-all.games
    # The file with all samples has all games too, so the other files are not needed any more.
    if [ -e "$all" ]; then return; fi
    if [ "$1" -gt 0 ]; then net=$dir/gen$1-$2.net; fi
    echo "generation $1, $2 $3x$3: games" >&2
    work "$programs/kagetsu" --net "$net" selfplay make "$made" --rule "$2" --size "$3" \
        --games "$games" --nodes "$nodes" --seed $(($1 + 1))
    work "$programs/kagetsu" --net "$net" selfplay explore "$made" "$walks"
    work "$programs/kagetsu" --net "$net" selfplay explore "$made" "$tree" --seed 2 --samples 2 \
        --tree "$nodes" --nodes $((nodes < 4 ? 1 : nodes * 3 / 10))
    work "$programs/kagetsu" selfplay combine "$all" "$made" "$walks" "$tree" "$tree"
}

# Trains the net of a generation. The first three generations also use the games of the two generations before, because old
# games help while there are few.
#
# How to train depends on the number of games: with these samples a game gives about 250 positions, by the sets in
# docs/nets.md, which has the measurements ("The rate of the layers", "Generation 8").
# - Up to about a million positions (4,000 games) the usual rates give the lowest losses. With more the usual rate of the
#   layers drives the neurons to their bounds, and a third of it is better.
# - Up to two million positions nets from random weights did not beat those that continue the net before at lower rates. So
#   the fourth and later generations continue. With more (10,000 games) they start from random weights at the low rate: such
#   nets won under every rule.
make_net() { # generation, rule
    local net=$dir/gen$(($1 + 1))-$2.net files=() options=() size old oldest count
    if [ -e "$net" ]; then return; fi
    oldest=$(($1 > 2 ? $1 : 0))
    for size in $(sizes "$2"); do
        for ((old = oldest; old <= $1; old++)); do
            files+=("$dir/gen$old-$2-$size-all.games")
        done
    done
    count=$((games * ${#files[@]}))
    if [ "$1" -gt 2 ] && [ "$count" -lt 10000 ]; then
        options=(--from "$dir/gen$1-$2.net" --epochs 4)
        options+=(--embedding-rate 3e-3 --linear-rate 2e-3 --moves-rate 6e-3 --rate 1.5e-3)
    elif [ "$count" -ge 4000 ]; then
        options=(--epochs 5 --rate 1.5e-3)
    fi
    echo "generation $1, $2: net" >&2
    work "$programs/kagetsu-train" "${options[@]}" --out "$net" "${files[@]}"
}

for ((g = 0; g < generations; g++)); do
    for rule in freestyle standard renju caro caro6; do
        for size in $(sizes "$rule"); do
            make_games "$g" "$rule" "$size"
        done
        make_net "$g" "$rule"
    done
done
echo "the nets are $dir/gen$generations-*.net" >&2
