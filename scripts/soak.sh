#!/usr/bin/env bash
# Plays for hours on a loaded machine and counts what goes wrong: games of all rules and sizes at 5 to 50 ms a move, from
# random openings, and at the same time sessions of single commands with pondering, suspension, kills and broken input, each
# answer checked.
#
#   scripts/soak.sh HOURS [DIR]
#
# Writes to DIR (default: target/soak):
#   report.txt     after each round: games, commands, faults per 10,000 games, lateness against load, memory
#   faults.txt     a line for each fault
#   starved.txt    a line for each late answer that the machine caused: no fault
#   rounds.tsv     a line for each round
#   answers.tsv    for each round, a line for the answers of its sessions at each load
#   match-*/       games of each match with a fault, and of a match that was interrupted
#   openings.txt, match.log, match.err    openings and output of the last match
# A further call with the same DIR adds to these files. KAGETSU and PBRAIN name other programs than those of the release build;
# their relative paths start at the root of the repository. BESIDE is the number of games played side by side (3).
#
# Exit status 1: this call found a fault. Faults of earlier calls with the same DIR do not count.
#
# Lateness is a fault only if the engine caused it. Linux counts how long each thread was ready to run and had no processor
# (/proc/PID/task/TID/schedstat). An answer may be late by this wait and the tolerance, and by a tenth of the wait: a program
# that rarely runs finds cold caches and runs slower. The waits of threads that have ended are not known. So on an overloaded
# machine (more load than processors) it is no fault either if the engine computed no longer than its limit and the tolerance.
# Late answers without a fault are counted apart (starved.txt).
# CITE: Linux, Documentation/scheduler/sched-stats.rst, "/proc/<pid>/schedstat"; proc_pid_stat(5).
set -euo pipefail
# Bash and awk read and write numbers with a decimal point only in this locale.
export LC_ALL=C

hours=${1:?"usage: scripts/soak.sh HOURS [DIR]"}
seconds=0
if [[ $hours =~ ^([0-9]+(\.[0-9]*)?|\.[0-9]+)$ ]]; then seconds=$(awk -v h="$hours" 'BEGIN { printf "%d", h * 3600 }'); fi
if [ "$seconds" = 0 ]; then
    echo "soak.sh: HOURS '$hours': expected a number above 0, such as 8 or 0.5" >&2
    exit 2
fi
top=$(dirname "$0")/..
dir=${2:-$top/target/soak}
mkdir -p "$dir"
dir=$(realpath "$dir")
cd "$top"
. scripts/quoting.sh
. scripts/stoppable.sh
built=${CARGO_TARGET_DIR:-target}/release
kagetsu=${KAGETSU:-$built/kagetsu}
pbrain=${PBRAIN:-$built/pbrain-kagetsu}
for program in "$kagetsu" "$pbrain"; do
    if ! command -v "$program" >/dev/null; then
        echo "soak.sh: no program $program: build it with 'cargo build --release --bins', or set KAGETSU and PBRAIN" >&2
        exit 2
    fi
done
# A write to an engine that is gone fails, and does not end this script. Programs that it starts get the default action
# back; they would inherit an ignored signal.
trap : PIPE
# The programs that are running; empty if there are none.
match_pid='' engine=''
clean_up() {
    trap '' HUP INT TERM
    # A suspended engine heeds no other signal. The match ends its engines.
    if [ -n "$engine" ]; then kill -9 "$engine" 2>/dev/null || true; fi
    end_programs 2>/dev/null
}
trap clean_up EXIT
# Instead of the traps of stoppable.sh: every end is an exit.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
end=$((SECONDS + seconds))
rules=(freestyle standard renju caro caro6)
# The protocol's numbers of the rules.
numbers=(0 1 4 8 9)
# Milliseconds that an answer may come later than its limit, besides the time without a processor.
tolerance=100
# Seconds until a session gives up on an answer.
patience=60

# Sets `load` to the load of the last minute.
get_load() { read -r load _ </proc/loadavg; }
# Nanoseconds that each thread of the engine, and this script, had waited for a processor when a move was asked for and when
# it was answered.
declare -A asked=() answered=()
get_waits() { # asked or answered
    local -n waits=$1
    local file time
    waits=()
    for file in /proc/"$engine"/task/*/schedstat "/proc/$$/schedstat"; do
        # shellcheck disable=SC2004,SC2034 # stands for an array that others read
        if read -r _ time _ <"$file"; then waits[$file]=$time; fi
    done 2>/dev/null
}
# Sets `computed` to the milliseconds that the engine, with the threads that have ended, has used a processor.
ticks=$(getconf CLK_TCK) processors=$(nproc)
get_computed() {
    local -a fields=()
    # What follows the name, which may have spaces.
    local text
    { read -r text </proc/"$engine"/stat; } 2>/dev/null || text=
    read -r -a fields <<<"${text##*) }"
    computed=$(((${fields[11]:-0} + ${fields[12]:-0}) * 1000 / ticks))
}
# Sets `waited` to the milliseconds waited for a processor between `asked` and `answered`. Each thread is compared with
# itself: threads start and end in between. The wait of a thread that has ended is not known.
get_waited() {
    local file more nanoseconds=0
    for file in "${!answered[@]}"; do
        more=$((${answered[$file]} - ${asked[$file]:-0}))
        if [ "$more" -gt 0 ]; then nanoseconds=$((nanoseconds + more)); fi
    done
    waited=$((nanoseconds / 1000000))
}
# Faults of this call.
found=0
fault() {
    printf '%s\t%s\n' "$(date -u +%FT%TZ)" "$*" >>"$dir/faults.txt"
    faults=$((faults + 1)) found=$((found + 1))
}
starve() {
    printf '%s\t%s\n' "$(date -u +%FT%TZ)" "$*" >>"$dir/starved.txt"
    starved=$((starved + 1))
}

# Counts of the present round.
reset_counts() {
    games=0 moves=0 commands=0 faults=0 starved=0 sessions=0 climbed=0
    # By load: number of answers, the latest answer, and the latest one without the time spent waiting for a processor.
    declare -gA answers_at=() latest_at=() own_at=()
}
# Sets `ms` to a time for a move: short ones more often, for they make more games.
draw_time() { ms=$((5 + (RANDOM % 46) * (RANDOM % 46) * (RANDOM % 46) / 2025)); }
for file in faults starved rounds answers; do
    extension=txt
    case $file in rounds | answers) extension=tsv ;; esac
    : >>"$dir/$file.$extension"
done

# --- a match of the engine against itself: every fault of either side counts ----------------------------------------------

# Prints openings of two to seven stones anywhere: too few for a row or a foul.
random_openings() { # size, number
    awk -v size="$1" -v number="$2" -v seed="$RANDOM$RANDOM" 'BEGIN {
        srand(seed)
        for (i = 0; i < number; i++) {
            split("", taken)
            line = ""
            for (left = 2 + int(6 * rand()); left > 0;) {
                p = substr("abcdefghijklmnopqrstuv", 1 + int(size * rand()), 1) (1 + int(size * rand()))
                if (!(p in taken)) { taken[p] = 1; line = line p; left-- }
            }
            print line
        }
    }'
}
match_begin() { # number
    local i=$((RANDOM % 5)) size=$((5 + RANDOM % 18)) ms options=() command
    draw_time
    command=$(quoted "$pbrain")
    out=$dir/match-$1
    if [ $((RANDOM % 2)) = 0 ]; then options+=(--suspend); fi
    if [ $((RANDOM % 4)) = 0 ]; then options+=(--send-board); fi
    options+=(--threads $((1 + (RANDOM % 4) / 3)) --memory $((70 + RANDOM % 100))M --check-memory)
    match="match $1: ${rules[i]} $size ${ms}ms ${options[*]}"
    random_openings "$size" 50 >"$dir/openings.txt"
    "$kagetsu" match --engine "name=a $command" --engine "name=b $command" --rule "${rules[i]}" --size "$size" \
        --time "${ms}ms" --tolerance 2s --startup 60s --games 100 --concurrency "${BESIDE:-3}" \
        --openings "$dir/openings.txt" "${options[@]}" --out "$out" --json >"$dir/match.log" 2>"$dir/match.err" &
    match_pid=$!
}
# Whether a time fault is due to the machine: it tells how long the engine waited for a processor. A silent engine has no
# lateness yet; one that hangs waits for no processor.
is_starved() { # record of a game
    local number='([0-9]+) ms'
    if [[ $1 =~ \"overtime\".*\"detail\":\"$number\ where\ $number\ were\ allowed\;\ its\ threads\ waited\ $number ]]; then
        [ "${BASH_REMATCH[3]}" -ge $((BASH_REMATCH[1] - BASH_REMATCH[2])) ]
    elif [[ $1 =~ \"(silence|half_line)\".*\"detail\":\"no\ move\ within\ $number.*\;\ its\ threads\ waited\ $number ]]; then
        [ $((2 * BASH_REMATCH[3])) -ge "${BASH_REMATCH[2]}" ]
    else
        false
    fi
}
match_end() {
    local record before=$faults status=0
    wait "$match_pid" || status=$?
    match_pid=''
    if [ "$status" != 0 ]; then fault "$match: status $status: $(tail -1 "$dir/match.err")"; fi
    if ! [ -f "$out/games.jsonl" ]; then
        if [ "$faults" = "$before" ]; then fault "$match: no games.jsonl"; fi
        # A match that cannot begin must not write faults in a tight loop.
        sleep 1
        return
    fi
    while IFS= read -r record; do
        games=$((games + 1))
        # The ends that are a fault are objects: {"fault": ...}.
        case $record in
        *'"end":{'*) if is_starved "$record"; then starve "$match: $record"; else fault "$match: $record"; fi ;;
        esac
    done <"$out/games.jsonl"
    moves=$((moves + $({ grep -o '"ms":' "$out/games.jsonl" || true; } | wc -l)))
    if [ "$faults" = "$before" ]; then rm -rf "$out"; fi
}

# --- a session of single commands ------------------------------------------------------------------------------------

# Bash closes both pipes and unsets ENGINE when the engine ends. It may have ended already: no file has number 1000000.
start_engine() {
    coproc ENGINE { exec "$pbrain"; }
    engine=$! in=${ENGINE[1]:-1000000} out_of=${ENGINE[0]:-1000000}
}
# Sets `status` to the engine's exit status.
kill_engine() {
    status=0
    kill -9 "$engine" 2>/dev/null || true
    wait "$engine" 2>/dev/null || status=$?
    engine=''
}
# Counts the end of an engine that was to live, once, and starts another engine.
replace_gone_engine() { # when
    kill_engine
    fault "the engine is gone $1, status $status"
    start_engine
}
stop_engine() {
    # The engine may end between the two.
    if ! kill -0 "$engine" 2>/dev/null || ! { echo END >&"$in"; } 2>/dev/null; then
        kill_engine
        fault "the engine is gone before END, status $status; the last was '$last'"
        return
    fi
    for _ in {1..300}; do
        kill -0 "$engine" 2>/dev/null || break
        sleep 0.1
    done
    if kill -0 "$engine" 2>/dev/null; then
        fault "the engine did not end after END"
        kill_engine
        return
    fi
    kill_engine
    if [ "$status" != 0 ]; then fault "the engine ended with status $status after END"; fi
}
send() {
    commands=$((commands + 1))
    if ! { echo "$1" >&"$in"; } 2>/dev/null; then
        replace_gone_engine "before '${1//$'\n'/ }'"
        return 1
    fi
}
# Reads the next line that is no message. If none comes, replaces the engine: a late answer must not be taken for that of the
# next command.
answer() {
    local deadline=$((SECONDS + patience))
    while IFS= read -r -t $((deadline > SECONDS ? deadline - SECONDS : 1)) line 2>/dev/null <&"$out_of"; do
        line=${line%$'\r'}
        case $line in MESSAGE*) ;; *) return 0 ;; esac
    done
    line=
    if [ "$SECONDS" -lt "$deadline" ]; then
        # Its output has ended.
        replace_gone_engine "after '$last' (${rules[rule]} $size)"
        return 1
    fi
    local states
    states=$(cat /proc/"$engine"/task/*/stat 2>/dev/null | cut -d' ' -f3 | tr -d '\n' || true)
    fault "no answer within $patience s after '$last' (${rules[rule]} $size); states of its threads: ${states:-unknown}"
    kill_engine
    start_engine
    return 1
}
# A move: a free point, in time.
expect_move() { # microseconds when it was asked for
    answer || return 1
    local took=$(((${EPOCHREALTIME/./} - $1) / 1000 - ms)) own allowed bucket before=$computed how
    get_waits answered
    get_waited
    get_computed
    get_load
    own=$((took - waited))
    allowed=$((tolerance + waited / 10))
    bucket=${load%.*}
    answers_at[$bucket]=$((${answers_at[$bucket]:-0} + 1))
    if [ "$took" -gt "${latest_at[$bucket]:-0}" ]; then latest_at[$bucket]=$took; fi
    if [ "$own" -gt "${own_at[$bucket]:-0}" ]; then own_at[$bucket]=$own; fi
    how="$took ms beyond its limit of $ms ms, $waited ms of that without a processor, $((computed - before)) ms of computing"
    how+=": '$last' (${rules[rule]} $size), load $load"
    if [ "$own" -gt $allowed ] && { [ "$bucket" -lt "$processors" ] || [ $((computed - before)) -gt $((ms + tolerance)) ]; }; then
        fault "$how"
    elif [ "$took" -gt $tolerance ]; then
        starve "$how"
    fi
    if ! [[ $line =~ ^([0-9]+),([0-9]+)$ ]] || [ "${BASH_REMATCH[1]}" -ge "$size" ] || [ "${BASH_REMATCH[2]}" -ge "$size" ]; then
        # A full board has no move.
        if [ "${#taken[@]}" -lt $((size * size)) ]; then fault "'$line' after '$last' on $size"; fi
        return 1
    fi
    if [ -n "${taken[$line]:-}" ]; then fault "'$line' is occupied, after '$last'"; fi
    taken[$line]=1
    mine+=("$line")
}
free_square() {
    local tries=0
    while square=$((RANDOM % size)),$((RANDOM % size)); [ -n "${taken[$square]:-}" ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 200 ]; then return 1; fi
    done
}
# Asks for a move and checks it.
ask_move() { # command, perhaps of several lines
    get_waits asked
    get_computed
    local begun=${EPOCHREALTIME/./}
    last=${1//$'\n'/ }
    send "$1" || return 1
    expect_move "$begun"
}
# The whole position as a command.
board() {
    local i text=BOARD
    for ((i = 0; i < ${#mine[@]} || i < ${#theirs[@]}; i++)); do
        if [ "$i" -lt ${#theirs[@]} ]; then text+=$'\n'${theirs[i]},2; fi
        if [ "$i" -lt ${#mine[@]} ]; then text+=$'\n'${mine[i]},1; fi
    done
    ask_move "$text"$'\n'DONE
}
take_back() {
    local of
    for of in mine theirs; do
        local -n list=$of
        ask "TAKEBACK ${list[-1]}" OK || return 1
        unset "taken[${list[-1]}]" "list[-1]"
    done
}
begin_game() {
    last="START $size"
    send "$last" || return 1
    answer || return 1
    if [ "$line" != OK ]; then fault "'$line' after '$last'"; fi
    send "INFO rule ${numbers[rule]}" && send "INFO timeout_turn $ms" && send "INFO max_memory $memory" &&
        send "INFO pondering $((RANDOM % 2))" && send "INFO thread_num $((1 + (RANDOM % 4) / 3))"
}
# Begins a game. If the engine fails, another one runs; it gets START again. Fails after the second failure.
new_game() {
    size=$((5 + RANDOM % 18)) rule=$((RANDOM % 5))
    draw_time
    taken=() mine=() theirs=()
    begin_game || begin_game
}
# Sends a command whose answer must match a pattern.
ask() { # command, pattern
    last=$1
    send "$1" || return 1
    # shellcheck disable=SC2053 # a pattern
    answer && if [[ $line != $2 ]]; then fault "'$line' after '$last'"; fi
}
# Sets `anonymous` to the memory of the engine that no file backs, in KiB: the limit is for that.
get_memory() {
    local name value
    anonymous=0
    while read -r name value _; do
        if [ "$name" = RssAnon: ]; then anonymous=$value; fi
    done 2>/dev/null <"/proc/$engine/status" || true
}
# Suspends the engine for a moment, as a judge may, while it ponders or waits.
suspend_engine() {
    if ! kill -STOP "$engine" 2>/dev/null; then
        replace_gone_engine "before a suspension"
        return 1
    fi
    sleep 0.0$((RANDOM % 5)) || true
    kill -CONT "$engine" 2>/dev/null || true
}
# Sends a command that is drawn at random. Fails if no game can begin.
random_command() {
    case $((RANDOM % 32)) in
    0) new_game ;;
    1) ask ABOUT 'name=*' || new_game ;;
    2) taken=() mine=() theirs=(); ask RESTART OK || new_game ;;
    3) ask "NONSENSE $RANDOM" '@(UNKNOWN|ERROR)*' || new_game ;;
    4) ask "TURN 99,99" 'ERROR*' || new_game ;;
    5) send "INFO time_left $((RANDOM * 10))" || new_game ;;
    6) suspend_engine || new_game ;;
    7) if [ $((RANDOM % 20)) = 0 ]; then
           if kill -0 "$engine" 2>/dev/null; then
               kill_engine
               start_engine
           else
               replace_gone_engine "before it is killed"
           fi
           new_game
       fi ;;
    8 | 9 | 10) if [ ${#mine[@]} -gt 0 ] && [ ${#theirs[@]} = ${#mine[@]} ]; then take_back || new_game; fi ;;
    11 | 12) if free_square; then
                 taken[$square]=1
                 theirs+=("$square")
                 board || new_game
             fi ;;
    *) if free_square; then
           taken[$square]=1
           theirs+=("$square")
           ask_move "TURN $square" || new_game
       else
           new_game
       fi ;;
    esac
}
# Plays until this number of commands is sent, or gives up if no game can begin.
session() { # commands
    declare -gA taken=()
    declare -ga mine=() theirs=()
    local until=$(($1 + commands)) half=$(($1 / 2 + commands)) middle=0
    memory=$(((40 + RANDOM % 200) << 20))
    start_engine
    if ! new_game; then
        give_up
        return
    fi
    while [ "$commands" -lt "$until" ]; do
        if ! random_command; then
            give_up
            return
        fi
        get_memory
        if [ $((anonymous << 10)) -gt "$memory" ]; then fault "$anonymous KiB where $memory bytes are allowed"; fi
        if [ "$commands" -ge "$half" ] && [ "$middle" = 0 ]; then middle=$anonymous; fi
    done
    sessions=$((sessions + 1))
    climbed=$((climbed + anonymous - middle))
    stop_engine
}
# The faults are counted. An engine that never plays must not write more of them in a tight loop.
give_up() {
    kill_engine
    sleep 1
}

# Adds the round to the files and writes the report of all rounds so far.
report() {
    local bucket
    get_load
    printf '%s\t' "$(date -u +%FT%TZ)" "$round" "$games" "$moves" "$commands" "$faults" "$starved" "$sessions" "$climbed" \
        $((SECONDS - begun)) >>"$dir/rounds.tsv"
    echo "$load" >>"$dir/rounds.tsv"
    for bucket in "${!answers_at[@]}"; do
        printf '%s\t%s\t%s\t%s\n' "$bucket" "${answers_at[$bucket]}" "${latest_at[$bucket]:-0}" "${own_at[$bucket]:-0}"
    done >>"$dir/answers.tsv"
    {
        echo "soak until $(date -u +%FT%TZ): $("$kagetsu" --version | head -1), load $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"
        awk -F'\t' '{ games += $3; moves += $4; commands += $5; faults += $6; starved += $7; sessions += $8; climbed += $9; time += $10 }
            END {
                printf "%d rounds in %.1f hours\n", NR, time / 3600
                printf "games %d with %d moves asked for; commands of sessions %d; commands in all %d\n", games, moves, commands, moves + commands
                printf "faults %d (%.2f per 10,000 games); late for want of a processor, no fault: %d\n", faults, games ? faults * 10000 / games : 0, starved
                printf "memory in the second half of a session: %d KiB more on average, of %d sessions\n", sessions ? climbed / sessions : 0, sessions
            }' "$dir/rounds.tsv"
        echo "load: answers of sessions, the latest beyond its limit, the latest but for the time without a processor (ms)"
        awk -F'\t' '{ n[$1] += $2; if ($3 > late[$1]) late[$1] = $3; if ($4 > own[$1]) own[$1] = $4 }
            END { for (load in n) printf "%d: %d %d %d\n", load, n[load], late[load], own[load] }' "$dir/answers.tsv" | sort -n
    } >"$dir/report.txt"
}

# Continue numbering after earlier rounds and kept matches, so that no evidence is overwritten.
round=$(wc -l <"$dir/rounds.tsv")
for file in "$dir"/match-*; do
    if [[ ${file##*/} =~ ^match-([1-9][0-9]*)$ ]] && [ "${BASH_REMATCH[1]}" -gt "$round" ]; then round=${BASH_REMATCH[1]}; fi
done
while [ $SECONDS -lt $end ]; do
    round=$((round + 1)) begun=$SECONDS
    reset_counts
    match_begin "$round"
    while kill -0 "$match_pid" 2>/dev/null; do session 400; done
    match_end
    report
done
cat "$dir/report.txt"
[ "$found" = 0 ]
