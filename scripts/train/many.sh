#!/usr/bin/env bash
# Makes one set of self-play games on several machines: GNU parallel hands out shards over ssh and fetches the files.
#
#   scripts/train/many.sh OUT GAMES SHARDS HOSTS [OPTIONS OF kagetsu selfplay make]
#   scripts/train/many.sh renju.games 100000 40 host1,host2,: --rule renju --nodes 2000
#
# HOSTS is a list for parallel's --sshlogin; ':' is this machine. Every host needs rsync and the same version of kagetsu,
# both in its PATH. A shard uses all cores of its host. A shard that fails is tried on other hosts, three times in all.
#
# OUT.parts gets the shards, OUT the whole set at the end. Stop it whenever you like and give the same command again, with
# other HOSTS if need be: a shard that is here whole is not made again, and a host continues the ones that it began. The
# hosts keep their files, in the login directory.
set -euo pipefail

usage="usage: scripts/train/many.sh OUT GAMES SHARDS HOSTS [OPTIONS OF kagetsu selfplay make]"
out=${1:?$usage} games=${2:?$usage} shards=${3:?$usage} hosts=${4:?$usage}
shift 4
# shellcheck source=scripts/stoppable.sh
. "$(dirname "$0")/../stoppable.sh"

fail() { echo "many.sh: $*" >&2; exit 1; }
for number in "$games" "$shards"; do
    [[ $number =~ ^[1-9][0-9]*$ ]] || fail "'$number': expected a whole number above 0 for GAMES and SHARDS"
done
for program in kagetsu parallel rsync flock; do
    command -v "$program" >/dev/null || fail "$program is not in the PATH"
done
if [ -e "$out" ]; then fail "$out: exists already: expected a new name"; fi
mkdir -p "$out.parts"
cd "$out.parts"
out=${PWD%.parts}
exec 9<.
flock -n 9 || fail "$PWD: another many.sh uses it"
order="$games games, $shards shards, options: $*"
if [ ! -s order ]; then echo "$order" >order; fi
if [ "$(cat order)" != "$order" ]; then
    fail "$PWD: has shards of other games ($(cat order)): expected a new OUT, or that directory removed"
fi

# A name that no other set has on the hosts, without spaces: parallel and rsync both quote them.
name=selfplay-$(cksum <<<"$order" | cut -d' ' -f1)
part() { echo "$name-$1-of-$shards.games"; }

# The files decide what is to be made: parallel's log calls a shard done when its file could not be fetched.
parts=() todo=()
for ((i = 0; i < shards; i++)); do
    parts+=("$(part "$i")")
    want=$(((games - i + shards - 1) / shards))
    verdict=$(kagetsu selfplay verify "$(part "$i")" 2>/dev/null) || true
    if [[ $verdict != *": $want game"* ]]; then todo+=("$i"); fi
done

if [ "${#todo[@]}" -gt 0 ]; then
    work parallel -q -j1 --retries 3 --sshlogin "$hosts" --tag --return "$(part '{}')" \
        kagetsu selfplay make "$(part '{}')" "$@" --games "$games" --shard "{}/$shards" ::: "${todo[@]}" ||
        fail "not all shards are made: run the same command to continue"
fi
work kagetsu selfplay merge "$out" --games "$games" "${parts[@]}"
