#!/usr/bin/env bash
# Compares the speed of two builds of the command line: runs `bench` of each in turn and compares the processor times,
# which a busy machine disturbs less than the clock.
#
#   scripts/compare-speed.sh OLD NEW [PAIRS] [arguments of kagetsu bench]
#
# Prints one line for each pair (5 without PAIRS) and the median ratio: above 1, NEW is faster. The default depth gives short
# searches, so the usual comparison is: scripts/compare-speed.sh OLD NEW 5 --depth 14
set -euo pipefail

if [ $# -lt 2 ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
fi
old=$1 new=$2 pairs=${3:-5}
shift $(($# > 3 ? 3 : $#))
if ! [[ $pairs =~ ^[1-9][0-9]*$ ]]; then
    echo "compare-speed.sh: PAIRS '$pairs': expected a whole number above 0, before arguments of kagetsu bench" >&2
    exit 2
fi

# Times are printed and read with a decimal point.
export LC_ALL=C

# Prints the user time of one run in seconds. The program's own messages stay on stderr.
seconds() { # program, arguments of bench
    local program=$1
    shift
    {
        (
            TIMEFORMAT=%U
            time "$program" bench --json "$@" >"$work/answer" 2>&3
        ) 2>&1
    } 3>&2
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((i = 1; i <= pairs; i++)); do
    a=$(seconds "$old" "$@")
    sed 's/.*"signature":\([0-9]*\).*/\1/' "$work/answer" >>"$work/signatures"
    b=$(seconds "$new" "$@")
    sed 's/.*"signature":\([0-9]*\).*/\1/' "$work/answer" >>"$work/signatures"
    awk -v i="$i" -v a="$a" -v b="$b" 'BEGIN { printf "%d: %.2f s, %.2f s, ratio %.3f\n", i, a, b, a / b }'
    awk -v a="$a" -v b="$b" 'BEGIN { print a / b }' >>"$work/ratios"
done
sort -g "$work/ratios" | awk '{ r[NR] = $1 }
    END { printf "median ratio %.3f\n", NR % 2 ? r[(NR + 1) / 2] : (r[NR / 2] + r[NR / 2 + 1]) / 2 }'
if [ "$(sort -u "$work/signatures" | wc -l)" -gt 1 ]; then
    echo "the searches differ, so their times cannot be compared" >&2
fi
