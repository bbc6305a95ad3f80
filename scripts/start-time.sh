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
runs=5
memory=$((350 << 20))

now() { echo "${EPOCHREALTIME/[.,]/}"; }

# User and system time of a process and of the children it has waited for, in ticks.
ticks() { # process
    sed 's/^.*) //' "/proc/$1/stat" | cut -d' ' -f12,13
}

# A run: microseconds to OK, microseconds of the move, ticks of the user and of the system during it.
run() { # seconds between OK and BEGIN, command
    local pause=$1 begun said asked before after line
    shift
    begun=$(now)
    coproc engine { exec "$@" 2>/dev/null; }
    # bash forgets both with the process
    local process=$engine_PID in=${engine[1]} out=${engine[0]}
    printf 'INFO max_memory %s\nSTART 20\n' "$memory" >&"$in"
    while read -r line <&"$out" && [ "${line%$'\r'}" != OK ]; do :; done
    said=$(now)
    printf 'INFO timeout_turn 300\nINFO book 0\n' >&"$in"
    sleep "$pause"
    before=$(ticks "$process")
    asked=$(now)
    echo BEGIN >&"$in"
    while read -r line <&"$out" && ! [[ $line =~ ^[0-9]+,[0-9]+ ]]; do :; done
    after=$(ticks "$process")
    echo "$((said - begun)) $(($(now) - asked)) $((${after% *} - ${before% *})) $((${after#* } - ${before#* }))"
    echo END >&"$in"
    wait "$process" || true
}

median() { sort -n | sed -n "$(((runs + 1) / 2))p"; }

for pause in 0 1; do
    results=$(for ((i = 0; i < runs; i++)); do run "$pause" "$@"; done)
    ok=$(cut -d' ' -f1 <<<"$results" | median)
    move=$(cut -d' ' -f2 <<<"$results" | median)
    share=$(awk '{ all = $3 + $4; print all ? int(100 * $4 / all + 0.5) : 0 }' <<<"$results" | median)
    echo "BEGIN $pause s after OK: OK after $((ok / 1000)) ms; the move after $((move / 1000)) ms," \
        "$share % of its processor time the system's"
done
