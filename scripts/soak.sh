#!/usr/bin/env bash
# Plays for hours on a loaded machine and counts what goes wrong: games of all rules and sizes at 5 to 50 ms a move, and
# sessions of single commands with pondering, suspension, kills and broken input, each answer checked.
#
#   scripts/soak.sh HOURS [DIR]
#
# Writes to DIR (soak): games of matches (match-*/), a line for each round (rounds.tsv), faults (faults.txt) and, at the end
# and after each round, report.txt: games, commands, faults per 10,000 games, how late answers were at what load, and how
# memory grew. KAGETSU and PBRAIN name other programs than those of target/release. Exits with 1 if there was a fault.
set -euo pipefail

hours=${1:?"usage: scripts/soak.sh HOURS [DIR]"}
dir=${2:-soak}
cd "$(dirname "$0")/.."
kagetsu=${KAGETSU:-target/release/kagetsu}
pbrain=${PBRAIN:-target/release/pbrain-kagetsu}
mkdir -p "$dir"
end=$((SECONDS + $(awk -v h="$hours" 'BEGIN { printf "%d", h * 3600 }')))
rules=(freestyle standard renju caro caro6)
# As the protocol numbers them.
numbers=(0 1 4 8 9)
# Whole milliseconds; an answer may come later than its limit by this and by as much again for each process that waits.
tolerance=100

now() { echo $((${EPOCHREALTIME/./} / 1000)); }
load() { cut -d' ' -f1 /proc/loadavg; }
fault() {
    printf '%s\t%s\n' "$(date -u +%FT%TZ)" "$*" >>"$dir/faults.txt"
    faults=$((faults + 1))
}

games=0 commands=0 faults=0 latest=0 latest_load=0 grown=0 late=0
touch "$dir/faults.txt" "$dir/rounds.tsv"

# A match of the engine against itself; every fault of either side counts.
match_round() { # number
    local i=$((RANDOM % 5)) ms=$((5 + RANDOM % 46)) size=$((5 + RANDOM % 18)) out=$dir/match-$1 lines
    rm -rf "$out"
    if ! "$kagetsu" match --engine "name=a $pbrain" --engine "name=b $pbrain" --rule "${rules[i]}" --size "$size" \
        --time "${ms}ms" --tolerance 2s --startup 60s --games 20 --threads 1 --memory 100M --concurrency 1 \
        --out "$out" --json >"$dir/match.log" 2>"$dir/match.err"; then
        fault "match $1: ${rules[i]} $size ${ms}ms: $(tail -1 "$dir/match.err")"
    fi
    lines=$(wc -l <"$out/games.jsonl" 2>/dev/null || echo 0)
    games=$((games + lines))
    # The ends that are a fault are objects: {"fault": ...}.
    if grep -h '"end":{' "$out/games.jsonl" >>"$dir/faults.txt" 2>/dev/null; then
        faults=$((faults + $(grep -c '"end":{' "$out/games.jsonl")))
    else
        rm -rf "$out"
    fi
}

# --- a session of single commands ------------------------------------------------------------------------------------

start_engine() {
    coproc ENGINE { exec "$pbrain"; }
    engine=$ENGINE_PID in=${ENGINE[1]} out=${ENGINE[0]} first_rss=0
}
stop_engine() {
    echo END >&"$in" 2>/dev/null || true
    for _ in {1..50}; do
        kill -0 "$engine" 2>/dev/null || break
        sleep 0.1
    done
    if kill -0 "$engine" 2>/dev/null; then
        fault "the engine did not end after END"
        kill -9 "$engine"
    fi
    wait "$engine" 2>/dev/null || true
}
send() {
    commands=$((commands + 1))
    echo "$1" >&"$in" || fault "the engine takes no '$1'"
}
# The next line that is no message.
answer() { # seconds
    while IFS= read -r -t "$1" line <&"$out"; do
        line=${line%$'\r'}
        case $line in MESSAGE*) ;; *) return 0 ;; esac
    done
    fault "no answer within $1 s after '$last' (${rules[rule]} $size)"
    line=
    return 1
}
# A move: a free point, in time.
expect_move() { # milliseconds allowed
    local begun took allowed
    begun=$(now)
    answer 30 || return 1
    took=$(($(now) - begun - $1))
    allowed=$(awk -v t="$tolerance" -v l="$(load)" 'BEGIN { printf "%d", t * (1 + l) }')
    if [ "$took" -gt "$latest" ]; then latest=$took latest_load=$(load); fi
    if [ "$took" -gt "$allowed" ]; then late=$((late + 1)); fi
    if ! [[ $line =~ ^([0-9]+),([0-9]+)$ ]] || [ "${BASH_REMATCH[1]}" -ge "$size" ] || [ "${BASH_REMATCH[2]}" -ge "$size" ]; then
        # A full board has no move.
        if [ "${#taken[@]}" -lt $((size * size)) ]; then fault "'$line' after '$last' on $size"; fi
        return 1
    fi
    if [ -n "${taken[$line]:-}" ]; then fault "'$line' is occupied, after '$last'"; fi
    taken[$line]=1
}
free_square() {
    local tries=0
    while square=$((RANDOM % size)),$((RANDOM % size)); [ -n "${taken[$square]:-}" ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 200 ]; then return 1; fi
    done
}
new_game() {
    size=$((5 + RANDOM % 18)) rule=$((RANDOM % 5)) ms=$((5 + RANDOM % 46))
    taken=()
    last="START $size"
    send "$last"
    answer 30 || return 0
    if [ "$line" != OK ]; then fault "'$line' after '$last'"; fi
    send "INFO rule ${numbers[rule]}"
    send "INFO timeout_turn $ms"
    send "INFO max_memory $(((40 + RANDOM % 200) << 20))"
    send "INFO pondering $((RANDOM % 2))"
}
session_round() { # commands
    declare -gA taken=()
    local left=$(($1 + commands)) rss
    start_engine
    new_game
    while [ "$commands" -lt "$left" ]; do
        case $((RANDOM % 24)) in
        0) new_game ;;
        1) last=ABOUT; send ABOUT; answer 30 && case $line in name=*) ;; *) fault "'$line' after ABOUT" ;; esac ;;
        2) last=RESTART; send RESTART; taken=(); answer 30 && if [ "$line" != OK ]; then fault "'$line' after RESTART"; fi ;;
        3) last="NONSENSE $RANDOM"; send "$last"; answer 30 && case $line in UNKNOWN* | ERROR*) ;; *) fault "'$line' after '$last'" ;; esac ;;
        4) last="TURN 99,99"; send "$last"; answer 30 && case $line in ERROR*) ;; *) fault "'$line' after '$last'" ;; esac ;;
        5) send "INFO time_left $((RANDOM * 10))" ;;
        6) # Asleep, as a judge freezes it, while it ponders or waits.
            kill -STOP "$engine" && sleep 0.0$((RANDOM % 5)) && kill -CONT "$engine" ;;
        7) if [ $((RANDOM % 20)) = 0 ]; then
               kill -9 "$engine"
               wait "$engine" 2>/dev/null || true
               start_engine
               new_game
           fi ;;
        *) if free_square; then
               taken[$square]=1
               last="TURN $square"
               send "$last"
               expect_move "$ms" || new_game
           else
               new_game
           fi ;;
        esac
        rss=$(awk '/VmRSS/ { print $2 }' "/proc/$engine/status" 2>/dev/null || echo 0)
        if [ "$first_rss" = 0 ]; then first_rss=${rss:-0}; fi
        if [ $((${rss:-0} - first_rss)) -gt "$grown" ]; then grown=$((rss - first_rss)); fi
    done
    stop_engine
}

report() {
    {
        echo "soak of $(date -u +%FT%TZ): $("$kagetsu" --version | head -1), $SECONDS s, load $(cut -d' ' -f1-3 /proc/loadavg)"
        echo "games $games, commands $commands, faults $faults ($(awk -v f="$faults" -v g="$games" 'BEGIN { printf "%.2f", g ? f * 10000 / g : 0 }') per 10,000 games)"
        echo "latest answer of a session: $latest ms beyond its limit, at load $latest_load; beyond the tolerance by load: $late"
        echo "resident memory of a session grew by $grown KiB at most, tables of up to 240 MiB included"
    } >"$dir/report.txt"
}

round=0
while [ $SECONDS -lt $end ]; do
    round=$((round + 1))
    match_round "$round"
    session_round 400
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$round" "$games" "$commands" "$faults" "$latest" "$(load)" >>"$dir/rounds.tsv"
    report
done
cat "$dir/report.txt"
[ "$faults" = 0 ]
