#!/usr/bin/env bash
# Fuzzes every target of fuzz/ for some minutes each, guided by coverage, and minimises its corpus.
#
#   scripts/fuzz.sh MINUTES [DIR] [TARGET...]
#
# DIR (target/fuzz) gets for each target its corpus, its log, and a file with the input of each crash, if any;
# executions.tsv has a line for each run: target, executions, crashes. Temporary files, of which some targets write one in
# each execution, are in memory where the system has /dev/shm (TMPDIR names another folder). Needs no nightly toolchain and
# no cargo-fuzz: the coverage is built in by flags that stable Rust takes, and RUSTC_BOOTSTRAP is not set. Exits with 1 if
# something crashed. Ctrl-C ends it, and the corpora stay.
set -euo pipefail

minutes=${1:?"usage: scripts/fuzz.sh MINUTES [DIR] [TARGET...]"}
# To libFuzzer, 0 means no limit.
if ! [[ $minutes =~ ^[1-9][0-9]*$ ]]; then
    echo "fuzz.sh: MINUTES '$minutes': expected a whole number above 0" >&2
    exit 2
fi
top=$(cd "$(dirname "$0")/.." && pwd)
dir=${2:-$top/target/fuzz}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
shift $(($# < 2 ? $# : 2))
cd "$top/fuzz"
# libFuzzer ends with a status of its own when it is interrupted, which is no crash; and no target may outlive the folder of
# its temporary files.
# shellcheck source=scripts/stoppable.sh
. ../scripts/stoppable.sh
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then TMPDIR=/dev/shm; fi
# A target that crashes leaves its temporary files; here they go with the folder.
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/fuzz.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
mapfile -t all < <(sed -n 's/^path = "fuzz_targets\/\(.*\)\.rs"$/\1/p' Cargo.toml)
targets=("${@:-}")
if [ -z "${targets[0]}" ]; then targets=("${all[@]}"); fi
for target in "${targets[@]}"; do
    if [[ " ${all[*]} " != *" $target "* ]]; then
        echo "fuzz.sh: there is no target '$target'; expected one of ${all[*]}" >&2
        exit 2
    fi
done

# Builds as `cargo fuzz -s none` does, with checks of overflow as Cargo.toml has them. --target keeps the flags from build
# scripts.
host=$(rustc -vV | sed -n 's/^host: //p')
flags=(-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing)
RUSTFLAGS="${flags[*]}" work cargo build --release --target "$host"
built=${CARGO_TARGET_DIR:-target}/$host/release

crashed=0
for target in "${targets[@]}"; do
    corpus=$dir/$target/corpus old=$dir/$target/corpus.old
    # An earlier call was stopped while it replaced the corpus.
    if [ -d "$old" ] && [ ! -d "$corpus" ]; then mv "$old" "$corpus"; fi
    mkdir -p "$corpus"
    seeds=()
    if [ -d "corpus/$target" ]; then seeds=("corpus/$target"); fi
    echo "$target: $minutes minutes" >&2
    if ! work "$built/$target" "$corpus" "${seeds[@]}" -max_total_time=$((minutes * 60)) -rss_limit_mb=2048 -timeout=20 \
        -max_len=65536 -print_final_stats=1 -artifact_prefix="$dir/$target/" >"$dir/$target/log" 2>&1; then
        crashed=1
        tail -30 "$dir/$target/log" >&2
    fi
    executions=$(sed -n 's/^stat::number_of_executed_units: //p' "$dir/$target/log")
    # The log is that of this run; crash files of earlier ones lie beside it.
    crashes=$(grep -caE 'Test unit written to .*/(crash|timeout|oom)-[0-9a-f]+$' "$dir/$target/log" || true)
    printf '%s\t%s\t%s\n' "$target" "${executions:-0}" "$crashes" | tee -a "$dir/executions.tsv"
    rm -rf "$dir/$target/minimised" && mkdir "$dir/$target/minimised"
    if work "$built/$target" -merge=1 "$dir/$target/minimised" "$corpus" >>"$dir/$target/log" 2>&1; then
        rm -rf "$old"
        mv "$corpus" "$old"
        mv "$dir/$target/minimised" "$corpus"
        rm -rf "$old"
    fi
done
# Earlier calls have lines in the file, too.
tail -n ${#targets[@]} "$dir/executions.tsv" |
    awk '{ executions += $2; crashes += $3 } END { print executions " executions, " crashes " crashes" }'
exit $crashed
