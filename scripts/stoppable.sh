# Sourced by scripts that can be stopped and continued. `work PROGRAM ARGUMENTS` runs a program in the background and
# waits for it. A signal to the script then ends the program at once, which keeps its work; without this, Bash would
# react only after the program has ended. `how_to_continue` says what continues the work.
# shellcheck shell=bash
how_to_continue='run the same command to continue'
work() {
    local status=0
    "$@" &
    wait "$!" || status=$?
    return "$status"
}
# Ends the programs in the background. Bash acts on a signal between two commands, and its list of jobs has a program from
# the start on. A variable with the number of its process would be set one command later: a signal in between would leave
# the program running.
end_programs() {
    local running
    # A further signal asks for the same until the programs have got theirs; then it ends the script at once.
    trap '' INT TERM HUP
    running=$(jobs -rp)
    # shellcheck disable=SC2086 # several numbers, or none
    if [ -n "$running" ]; then kill $running 2>/dev/null || true; fi
    trap - INT TERM HUP
    # shellcheck disable=SC2086
    if [ -n "$running" ]; then wait $running || true; fi
}
stop() { # exit status
    end_programs
    echo "stopped; $how_to_continue" >&2
    exit "$1"
}
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP
