# Sourced by scripts that can be stopped and continued: `work PROGRAM ARGUMENTS` runs a program that is told when the
# script is. It keeps what it has, and a stopped script leaves nothing at work. Bash would obey a signal to the script
# alone only when the program has ended.
# shellcheck shell=bash
child=
work() {
    "$@" &
    child=$!
    wait "$child"
    child=
}
stop() {
    trap - INT TERM HUP
    if [ -n "$child" ]; then
        kill "$child" 2>/dev/null || true
        wait "$child" || true
    fi
    echo "stopped; the same command goes on" >&2
    exit 130
}
trap stop INT TERM HUP
