#!/usr/bin/env bash
# Plays the engine of the working tree against another engine under the main rules, and prints its result under each.
#
#   scripts/against.sh LIMIT OPPONENT [-- more arguments of kagetsu match]
#
# LIMIT holds for each move: nodes, such as 400000, or a time with its unit, such as 500ms or 5s. OPPONENT is a command as for
# `kagetsu match --engine`, such as 'name=other dir=/opt/other /opt/other/pbrain-other'; relative paths begin at the root of the
# repository. Both have the memory of the Gomocup tournaments; kagetsu plays without its book. Limits in time give meaningful
# results only on a machine without other work.
#
# Stop it at any time: the same command with the same OUT goes on, with the engine of its first start. Another LIMIT or rule is
# a new match with the current build. Other settings and other engines need another OUT. Variables of the environment:
#   OUT=directory           where the games are kept, each match with its engine [default: target/against]
#   RULES="freestyle-20 standard-15 renju-15"   rules with their board sizes, as in the names of book/openings
#   GAMES=200               games under each rule, an even number
#   CONCURRENCY=1  SEED=1   games side by side; order of the openings
#   THREADS=1               threads of each engine
#   OPENINGS=list           plays these openings under each of the RULES
#   ENGINE=command          measures this engine instead of that of the working tree
#   KAGETSU=program         plays the matches with this program instead of building it
# Without OPENINGS, the openings are those for testing in book/openings/by-outcome if there are any, else those of book/openings.
# Keep the figures: a row in docs/rapfi.md, or a page for that engine.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/matches.sh

if [ $# -lt 2 ] || { [ $# -gt 2 ] && [ "$3" != -- ]; }; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
fi
limit=$1 opponent=$2
shift 2
[ $# -eq 0 ] || shift
case $limit in
*[!0-9]*) limits=(--time "$limit") ;;
*) limits=(--nodes "$limit") ;;
esac

out=$(realpath -m "${OUT:-target/against}")
mkdir -p "$out"
find_kagetsu
rules=${RULES:-freestyle-20 standard-15 renju-15}
for rule in $rules; do keep_engine "$out/$rule-$limit"; done

row() { # rule, folder of the match
    local games score elo error won lost one of
    read -r games score elo error won lost one of < <(result "$2")
    if [ "$elo" = - ]; then
        elo='too few games'
    else
        elo=$(LC_ALL=C printf '%+.0f ± %.0f' "$elo" "$error")
    fi
    LC_ALL=C printf '%-13s %8s %6d %7.1f %%  %-14s %3d:%-3d      %d of %d\n' \
        "$1" "$limit" "$games" "$score" "$elo" "$won" "$lost" "$one" "$of"
}

rows=
for rule in $rules; do
    games=$out/$rule-$limit
    engine=$(engine_of "$games")
    if [ -z "${ENGINE:-}" ]; then engine+=' --no-book'; fi
    echo "$rule, $limit a move: $games" >&2
    play "$games" "${CONCURRENCY:-1}" \
        --engine "name=kagetsu $engine" --engine "$opponent" --rule "${rule%-*}" --size "${rule##*-}" \
        "${limits[@]}" --openings "$(openings_of "$rule")" --transform --seed "${SEED:-1}" --games "${GAMES:-200}" \
        --threads "${THREADS:-1}" --memory 350M "$@"
    rows+=$(row "$rule" "$games")$'\n'
    # The first event has the opponent's name, with control characters escaped.
    name=$(sed -n '/"event":"start"/s/.*"engines":\["[^"]*","\([^"]*\)".*/\1/p' "$games/events")
done
printf 'against %s\n' "$name"
printf 'rule             limit  games   score    Elo            decisive   one colour twice\n%s' "$rows"
