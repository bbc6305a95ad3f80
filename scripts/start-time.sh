#!/usr/bin/env bash
# Measures the first second of an engine: from its start to OK, and the first move, for a machine with nothing else to do.
#
#   scripts/start-time.sh PROGRAM ARGUMENTS      also: scripts/start-time.sh scripts/wine.sh pbrain-kagetsu64.exe
#
# Each line is the median of five runs: the time from START to OK, and the time of the first move (BEGIN with 0.3 s a
# move, sent at once or one second after OK) with the system's share of the processor time during that move. /proc
# counts ticks of 10 ms: a share of 0 means less than one tick.
set -euo pipefail

if [ $# -eq 0 ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
fi
if ! command -v "$1" >/dev/null; then
    echo "start-time.sh: no program $1" >&2
    exit 2
fi
runs=5
memory=$((350 << 20))

now() { echo "${EPOCHREALTIME/[.,]/}"; }

# User and system time of a process and of the children it has waited for, in ticks.
ticks() { # process
    sed 's/^.*) //' "/proc/$1/stat" | cut -d' ' -f12,13
}

# Ends a run. It is in a subshell, whose status ends the script.
gone() {
    echo "start-time.sh: the program ended after '$last', before its first move" >&2
    exit 1
}

# Sends lines to the engine, and ends the run if the engine is gone.
tell() { # lines
    last=${1##*$'\n'}
    { printf '%s\n' "$1" >&"$in"; } 2>/dev/null || gone
}

# Waits for a line of the engine.
hear() { # pattern
    local line
    while { read -r line <&"$out"; } 2>/dev/null; do
        if [[ ${line%$'\r'} =~ $1 ]]; then return; fi
    done
    gone
}

# A run: microseconds to OK, microseconds of the move, ticks of the user and of the system during it.
run() { # seconds between OK and BEGIN, command
    local pause=$1 begun said asked before after last=''
    shift
    # A write to an engine that is gone fails, and does not end the run. The engine gets the default action back; it would
    # inherit an ignored signal.
    trap : PIPE
    begun=$(now)
    coproc engine { exec "$@" 2>/dev/null; }
    # Bash forgets both files with the process, which may have ended already: no file has number 1000000.
    local process=$! in=${engine[1]:-1000000} out=${engine[0]:-1000000}
    tell "INFO max_memory $memory"$'\n''START 20'
    hear '^OK$'
    said=$(now)
    tell 'INFO timeout_turn 300'$'\n''INFO book 0'
    sleep "$pause"
    last=BEGIN
    before=$(ticks "$process" 2>/dev/null) || gone
    asked=$(now)
    tell BEGIN
    hear '^[0-9]+,[0-9]+'
    after=$(ticks "$process" 2>/dev/null) || gone
    echo "$((said - begun)) $(($(now) - asked)) $((${after% *} - ${before% *})) $((${after#* } - ${before#* }))"
    { echo END >&"$in"; } 2>/dev/null || true
    wait "$process" || true
}

median() { sort -n | sed -n "$(((runs + 1) / 2))p"; }

for pause in 0 1; do
    results=$(for ((i = 0; i < runs; i++)); do run "$pause" "$@"; done) || exit 1
    ok=$(cut -d' ' -f1 <<<"$results" | median)
    move=$(cut -d' ' -f2 <<<"$results" | median)
    share=$(awk '{ all = $3 + $4; print all ? int(100 * $4 / all + 0.5) : 0 }' <<<"$results" | median)
    echo "BEGIN $pause s after OK: OK after $((ok / 1000)) ms; the move after $((move / 1000)) ms," \
        "$share % of its processor time the system's"
done
