# Sourced by scripts that can be stopped and continued. `work PROGRAM ARGUMENTS` runs a program in the background and
# waits for it. A signal to the script then ends the program at once, which keeps its work; without this, Bash would
# react only after the program has ended. `how_to_continue` says what continues the work.
# shellcheck shell=bash
child='' how_to_continue='run the same command to continue'
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
    echo "stopped; $how_to_continue" >&2
    exit "$1"
}
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP
