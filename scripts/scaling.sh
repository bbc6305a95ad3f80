#!/usr/bin/env bash
# Measures what an engine gains by searching more: plays it with 4N nodes a move against itself with N, and prints Elo a
# doubling of the nodes. Four times the nodes are two doublings, so that is half of what the match shows.
#
#   scripts/scaling.sh [-- more arguments of kagetsu match]
#
# It measures the engine of the working tree. Stop it at any time: the same command with the same OUT goes on, with the
# engine of its first start. Another rule or N is a new match with the current build. Other settings or another engine need
# another OUT. Variables of the environment:
#   OUT=directory           where the games are kept, each match with its engine [default: target/scaling]
#   RULES="freestyle-20"    rules with their board sizes, as in the names of book/openings
#   NODES="25000 100000"    the values of N
#   GAMES=300               games of each rule and N
#   CONCURRENCY=2  SEED=1   games side by side; order of the openings
#   OPENINGS=list           plays these openings under each of the RULES
#   ENGINE=command          measures this engine instead, which must know the key max_node
#   KAGETSU=program         plays the matches with this program instead of building it
# Without OPENINGS, the openings are those for testing in book/openings/by-outcome if there are any, else those of book/openings.
# Keep the figures: a row in the section "Scaling" of docs/search.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/matches.sh

if [ $# -gt 0 ]; then
    if [ "$1" != -- ]; then
        sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
        exit 2
    fi
    shift
fi

out=$(realpath -m "${OUT:-target/scaling}")
mkdir -p "$out"
find_kagetsu
rules=${RULES:-freestyle-20} all_nodes=${NODES:-25000 100000}
for rule in $rules; do
    for nodes in $all_nodes; do keep_engine "$out/$rule-$nodes"; done
done

row() { # rule, nodes, folder of the match
    local games score elo error won lost
    read -r games score elo error won lost _ < <(result "$3")
    if [ "$elo" = - ]; then
        elo='too few games'
    else
        elo=$(LC_ALL=C printf '%.0f ± %.0f' "$(half "$elo")" "$(half "$error")")
    fi
    LC_ALL=C printf '%-13s %8d : %-8d %6d %7.1f %%  %-14s %d:%d\n' \
        "$1" $((4 * $2)) "$2" "$games" "$score" "$elo" "$won" "$lost"
}
half() { awk -v x="$1" 'BEGIN { print x / 2 }'; }

rows=
for rule in $rules; do
    for nodes in $all_nodes; do
        games=$out/$rule-$nodes
        engine=$(engine_of "$games")
        echo "$rule, $((4 * nodes)) against $nodes nodes: $games" >&2
        play "$games" "${CONCURRENCY:-2}" \
            --engine "name=4N nodes=$((4 * nodes)) $engine" --engine "name=N nodes=$nodes $engine" \
            --rule "${rule%-*}" --size "${rule##*-}" --openings "$(openings_of "$rule")" --transform \
            --seed "${SEED:-1}" --games "${GAMES:-300}" --threads 1 --memory 80M "$@"
        rows+=$(row "$rule" "$nodes" "$games")$'\n'
    done
done
printf 'rule             nodes               games   score    Elo a doubling decisive pairs\n%s' "$rows"
