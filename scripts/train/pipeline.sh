#!/usr/bin/env bash
# From nothing to nets: generations of self-play and training, for every rule.
#
#   scripts/train/pipeline.sh DIR [GENERATIONS] [GAMES] [NODES]
#
# DIR gets everything: games (gen0-renju-15.games, ...), the same with exploration samples (gen0-renju-15-walks.games and
# -tree.games, both together in -all.games, ...) and nets (gen1-renju.net, ...). The first generation plays with the weights
# set by hand, each later one with the nets trained before it. Stop it whenever you like and give the same command again:
# games, epochs and nets that are there are not made twice. The programs are built first, unless PROGRAMS names a folder that
# has them.
set -euo pipefail

dir=${1:?"usage: scripts/train/pipeline.sh DIR [GENERATIONS] [GAMES] [NODES]"}
generations=${2:-3}
games=${3:-20000}
nodes=${4:-2000}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
cd "$(dirname "$0")/../.."
. scripts/stoppable.sh

if [ -z "${PROGRAMS:-}" ]; then
    cargo build --release --bins -p kagetsu -p kagetsu-cli -p kagetsu-train
    PROGRAMS=${CARGO_TARGET_DIR:-target}/release
fi
programs=$(cd "$PROGRAMS" && pwd)

# Freestyle is played on two sizes and has one net.
sizes() { if [ "$1" = freestyle ]; then echo 15 20; else echo 15; fi; }

# Games of one generation, rule and size, by the newest net, and the same games with exploration samples: after random
# walks, and of the positions that searches evaluate, which count twice.
make_games() { # generation, rule, size
    local net=hand set=$dir/gen$1-$2-$3
    local made=$set.games walks=$set-walks.games tree=$set-tree.games all=$set-all.games
    if [ "$1" -gt 0 ]; then net=$dir/gen$1-$2.net; fi
    echo "generation $1, $2 $3x$3: games" >&2
    work "$programs/kagetsu" --net "$net" selfplay make "$made" --rule "$2" --size "$3" \
        --games "$games" --nodes "$nodes" --seed $(($1 + 1))
    if [ -e "$all" ]; then return; fi
    work "$programs/kagetsu" --net "$net" selfplay explore "$made" "$walks"
    work "$programs/kagetsu" --net "$net" selfplay explore "$made" "$tree" --seed 2 --samples 2 \
        --tree "$nodes" --nodes $((nodes * 3 / 10))
    work "$programs/kagetsu" selfplay combine "$all" "$made" "$walks" "$tree" "$tree"
}

# The net that a generation's games give. The first three generations start from random weights and also use the games
# of the two generations before, because old games help while there are few. Later generations continue from the net
# before, at lower rates.
make_net() { # generation, rule
    local net=$dir/gen$(($1 + 1))-$2.net files=() options=() size old oldest
    if [ -e "$net" ]; then return; fi
    oldest=$(($1 > 2 ? $1 : 0))
    for size in $(sizes "$2"); do
        for ((old = oldest; old <= $1; old++)); do
            files+=("$dir/gen$old-$2-$size-all.games")
        done
    done
    if [ "$1" -gt 2 ]; then
        options=(--from "$dir/gen$1-$2.net" --epochs 4)
        options+=(--embedding-rate 3e-3 --linear-rate 2e-3 --moves-rate 6e-3 --rate 1.5e-3)
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
