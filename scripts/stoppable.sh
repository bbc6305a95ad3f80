# Sourced by scripts that can be stopped and continued: `work PROGRAM ARGUMENTS` runs a program that is told when the
# script is. It keeps what it has, and a stopped script leaves nothing at work. Bash would obey a signal to the script
# alone only when the program has ended.
# shellcheck shell=bash
child=
work() {
    local status=0
    "$@" &
    child=$!
    wait "$child" || status=$?
    child=
    return "$status"
}
stop() { # exit status
    trap - INT TERM HUP
    if [ -n "$child" ]; then
        kill "$child" 2>/dev/null || true
        wait "$child" || true
    fi
    echo "stopped; run the same command to continue" >&2
    exit "$1"
}
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP
