#!/usr/bin/env bash
# From nothing to nets: generations of self-play and training, for every rule.
#
#   scripts/train/pipeline.sh DIR [GENERATIONS] [GAMES] [NODES]
#
# DIR gets everything: games (gen0-renju-15.games, ...) and nets (gen1-renju.net, ...). The first generation plays with
# the weights set by hand, each later one with the nets trained before it. Stop it whenever you like and give the same
# command again: games, epochs and nets that are there are not made twice.
set -euo pipefail
cd "$(dirname "$0")/../.."

dir=${1:?"usage: scripts/train/pipeline.sh DIR [GENERATIONS] [GAMES] [NODES]"}
generations=${2:-3}
games=${3:-20000}
nodes=${4:-2000}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

cargo build --release --bins -p kagetsu -p kagetsu-train
kagetsu=$PWD/target/release/kagetsu
train=$PWD/target/release/kagetsu-train

# Freestyle is played on two sizes and has one net.
sizes() { if [ "$1" = freestyle ]; then echo 15 20; else echo 15; fi; }

for ((g = 0; g < generations; g++)); do
    for rule in freestyle standard renju caro; do
        net=hand
        [ "$g" -gt 0 ] && net=$dir/gen$g-$rule.net
        files=()
        for size in $(sizes "$rule"); do
            file=$dir/gen$g-$rule-$size.games
            "$kagetsu" --net "$net" selfplay make "$file" --rule "$rule" --size "$size" \
                --games "$games" --nodes "$nodes" --seed $((g + 1))
            # The last three generations together: old games help as long as there are few.
            for ((old = g > 2 ? g - 2 : 0; old <= g; old++)); do
                files+=("$dir/gen$old-$rule-$size.games")
            done
        done
        next=$dir/gen$((g + 1))-$rule.net
        [ -e "$next" ] || "$train" --out "$next" "${files[@]}"
    done
done
