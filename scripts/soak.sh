#!/usr/bin/env bash
# Plays for hours on a loaded machine and counts what goes wrong: games of all rules and sizes at 5 to 50 ms a move, and at
# the same time sessions of single commands with pondering, suspension, kills and broken input, each answer checked.
#
#   scripts/soak.sh HOURS [DIR]
#
# Writes to DIR (soak): games of matches with a fault (match-*/), a line for each round (rounds.tsv), faults (faults.txt) and,
# after each round, report.txt: games, commands, faults per 10,000 games, lateness against load, memory. KAGETSU and PBRAIN
# name other programs than those of target/release. Exits with 1 if there was a fault.
#
# Lateness is a fault only if the engine caused it. Linux counts how long each thread was ready to run and had no processor
# (/proc/PID/task/TID/schedstat); an answer may come later by so much, and by the tolerance. To that comes a tenth of the
# wait, for a program that rarely runs finds cold caches and runs slower. Late answers for which that accounts are counted
# apart (starved.txt). CITE: Linux, Documentation/scheduler/sched-stats.rst, "/proc/<pid>/schedstat".
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
# Milliseconds that an answer may come later than its limit, besides the time without a processor.
tolerance=100
# Seconds until a session gives up on an answer.
patience=60

# Sets `load` to the load of the last minute.
get_load() { read -r load _ </proc/loadavg; }
# Sets `waited` to the milliseconds that the engine and this script have waited for a processor.
get_waited() {
    local file time nanoseconds=0
    for file in /proc/"$engine"/task/*/schedstat "/proc/$$/schedstat"; do
        if read -r _ time _ <"$file"; then nanoseconds=$((nanoseconds + time)); fi
    done 2>/dev/null
    waited=$((nanoseconds / 1000000))
}
fault() {
    printf '%s\t%s\n' "$(date -u +%FT%TZ)" "$*" >>"$dir/faults.txt"
    faults=$((faults + 1))
}
starve() {
    printf '%s\t%s\n' "$(date -u +%FT%TZ)" "$*" >>"$dir/starved.txt"
    starved=$((starved + 1))
}

games=0 moves=0 commands=0 faults=0 starved=0 sessions=0 climbed=0
# By load: answers, the latest one, and the latest but for the time without a processor.
declare -A answers_at=() latest_at=() own_at=()
: >>"$dir/faults.txt"
: >>"$dir/starved.txt"

# --- a match of the engine against itself: every fault of either side counts ----------------------------------------------

match_begin() { # number
    local i=$((RANDOM % 5)) size=$((5 + RANDOM % 18)) ms=$((5 + (RANDOM % 46) * (RANDOM % 46) / 45))
    out=$dir/match-$1
    match="match $1: ${rules[i]} $size ${ms}ms"
    rm -rf "$out"
    "$kagetsu" match --engine "name=a $pbrain" --engine "name=b $pbrain" --rule "${rules[i]}" --size "$size" \
        --time "${ms}ms" --tolerance 2s --startup 60s --games 20 --threads 1 --memory 100M --concurrency 1 \
        --out "$out" --json >"$dir/match.log" 2>"$dir/match.err" &
    match_pid=$!
}
# Whether a time fault is due to the machine: it tells how long the engine waited for a processor. A silent engine has no
# lateness yet; one that hangs waits for no processor.
is_starved() { # record of a game
    local number='([0-9]+) ms'
    if [[ $1 =~ \"overtime\".*\"detail\":\"$number\ where\ $number\ were\ allowed\;\ its\ threads\ waited\ $number ]]; then
        [ "${BASH_REMATCH[3]}" -ge $((BASH_REMATCH[1] - BASH_REMATCH[2])) ]
    elif [[ $1 =~ \"silence\".*\"detail\":\"no\ move\ within\ $number\;\ its\ threads\ waited\ $number ]]; then
        [ $((2 * BASH_REMATCH[2])) -ge "${BASH_REMATCH[1]}" ]
    else
        false
    fi
}
match_end() {
    local record before=$faults
    if ! wait "$match_pid"; then fault "$match: $(tail -1 "$dir/match.err")"; fi
    while IFS= read -r record; do
        games=$((games + 1))
        # The ends that are a fault are objects: {"fault": ...}.
        case $record in
        *'"end":{'*) if is_starved "$record"; then starve "$match: $record"; else fault "$match: $record"; fi ;;
        esac
    done <"$out/games.jsonl"
    moves=$((moves + $(grep -o '"ms":' "$out/games.jsonl" | wc -l)))
    if [ "$faults" = "$before" ]; then rm -rf "$out"; fi
}

# --- a session of single commands ------------------------------------------------------------------------------------

start_engine() {
    coproc ENGINE { exec "$pbrain"; }
    engine=$ENGINE_PID in=${ENGINE[1]} out_of=${ENGINE[0]}
}
kill_engine() {
    kill -9 "$engine"
    wait "$engine" 2>/dev/null || true
}
stop_engine() {
    echo END >&"$in" 2>/dev/null || true
    for _ in {1..300}; do
        kill -0 "$engine" 2>/dev/null || break
        sleep 0.1
    done
    if kill -0 "$engine" 2>/dev/null; then
        fault "the engine did not end after END"
        kill_engine
    fi
    wait "$engine" 2>/dev/null || true
}
send() {
    commands=$((commands + 1))
    echo "$1" >&"$in" || fault "the engine takes no '$1'"
}
# The next line that is no message. After none, another engine plays on: a late answer must not be taken for that of the
# next command.
answer() {
    local deadline=$((SECONDS + patience))
    while IFS= read -r -t $((deadline > SECONDS ? deadline - SECONDS : 1)) line <&"$out_of"; do
        line=${line%$'\r'}
        case $line in MESSAGE*) ;; *) return 0 ;; esac
    done
    local states
    states=$(cat /proc/"$engine"/task/*/stat 2>/dev/null | cut -d' ' -f3 | tr -d '\n' || true)
    fault "no answer within $patience s after '$last' (${rules[rule]} $size); states of its threads: ${states:-it is gone}"
    kill_engine
    start_engine
    line=
    return 1
}
# A move: a free point, in time.
expect_move() { # microseconds and waited time when it was asked for
    answer || return 1
    local took=$(((${EPOCHREALTIME/./} - $1) / 1000 - ms)) before=$2 own allowed bucket
    get_waited
    get_load
    own=$((took - (waited - before)))
    allowed=$((tolerance + (waited - before) / 10))
    bucket=${load%.*}
    answers_at[$bucket]=$((${answers_at[$bucket]:-0} + 1))
    if [ "$took" -gt "${latest_at[$bucket]:-0}" ]; then latest_at[$bucket]=$took; fi
    if [ "$own" -gt "${own_at[$bucket]:-0}" ]; then own_at[$bucket]=$own; fi
    if [ "$own" -gt $allowed ]; then
        fault "$took ms beyond its limit of $ms ms, $((waited - before)) ms of that without a processor: '$last' (${rules[rule]} $size), load $load"
    elif [ "$took" -gt $tolerance ]; then
        starve "$took ms beyond its limit of $ms ms, $((waited - before)) ms of that without a processor: '$last', load $load"
    fi
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
    answer || return 0
    if [ "$line" != OK ]; then fault "'$line' after '$last'"; fi
    send "INFO rule ${numbers[rule]}"
    send "INFO timeout_turn $ms"
    send "INFO max_memory $memory"
    send "INFO pondering $((RANDOM % 2))"
}
# Asks for something that is answered as a pattern says.
ask() { # command, pattern
    last=$1
    send "$1"
    # shellcheck disable=SC2053 # a pattern
    answer && if [[ $line != $2 ]]; then fault "'$line' after '$last'"; fi
}
# Sets `anonymous` to the memory of the engine that no file backs, in KiB: the limit is for that.
get_memory() {
    local name value
    anonymous=0
    while read -r name value _; do
        if [ "$name" = RssAnon: ]; then anonymous=$value; fi
    done <"/proc/$engine/status" 2>/dev/null || true
}
session() { # commands
    declare -gA taken=()
    local until=$(($1 + commands)) half=$(($1 / 2 + commands)) middle=0
    memory=$(((40 + RANDOM % 200) << 20))
    start_engine
    new_game
    while [ "$commands" -lt "$until" ]; do
        case $((RANDOM % 24)) in
        0) new_game ;;
        1) ask ABOUT 'name=*' || new_game ;;
        2) taken=(); ask RESTART OK || new_game ;;
        3) ask "NONSENSE $RANDOM" '@(UNKNOWN|ERROR)*' || new_game ;;
        4) ask "TURN 99,99" 'ERROR*' || new_game ;;
        5) send "INFO time_left $((RANDOM * 10))" ;;
        6) # Asleep, as a judge freezes it, while it ponders or waits.
            kill -STOP "$engine"
            sleep 0.0$((RANDOM % 5)) || true
            kill -CONT "$engine" ;;
        7) if [ $((RANDOM % 20)) = 0 ]; then
               kill_engine
               start_engine
               new_game
           fi ;;
        *) if free_square; then
               taken[$square]=1
               last="TURN $square"
               get_waited
               local begun=${EPOCHREALTIME/./}
               send "$last"
               expect_move "$begun" "$waited" || new_game
           else
               new_game
           fi ;;
        esac
        get_memory
        if [ $((anonymous << 10)) -gt "$memory" ]; then fault "$anonymous KiB where $memory bytes are allowed"; fi
        if [ "$commands" -ge "$half" ] && [ "$middle" = 0 ]; then middle=$anonymous; fi
    done
    sessions=$((sessions + 1))
    climbed=$((climbed + anonymous - middle))
    stop_engine
}

report() {
    local bucket
    {
        echo "soak of $(date -u +%FT%TZ): $("$kagetsu" --version | head -1), $SECONDS s, load $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"
        echo "games $games with $moves moves asked for; commands of sessions $commands; commands in all $((moves + commands))"
        echo "faults $faults ($(awk -v f="$faults" -v g="$games" 'BEGIN { printf "%.2f", g ? f * 10000 / g : 0 }') per 10,000 games); late for want of a processor, no fault: $starved"
        echo "memory in the second half of a session: $((sessions ? climbed / sessions : 0)) KiB more on average, of $sessions sessions"
        echo "load: answers of sessions, the latest beyond its limit, the latest but for the time without a processor (ms)"
        for bucket in "${!answers_at[@]}"; do
            echo "$bucket: ${answers_at[$bucket]} ${latest_at[$bucket]:-0} ${own_at[$bucket]:-0}"
        done | sort -n
    } >"$dir/report.txt"
}

round=0
while [ $SECONDS -lt $end ]; do
    round=$((round + 1))
    match_begin "$round"
    while kill -0 "$match_pid" 2>/dev/null; do session 200; done
    match_end
    get_load
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$round" "$games" "$((moves + commands))" "$faults" "$starved" "$load" >>"$dir/rounds.tsv"
    report
done
cat "$dir/report.txt"
[ "$faults" = 0 ]
