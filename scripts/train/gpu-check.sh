#!/usr/bin/env bash
# Compares the trainer on a GPU, gpu.py, with kagetsu-train: losses, gradient and a step of the optimizer, for a rule under which
# both colours share their weights and for one under which they do not.
#
#   scripts/train/gpu-check.sh
#
# Needs python3 with NumPy and JAX; the processor's backend is enough. Without them it says so and exits with status 3. PROGRAMS is
# the directory of the programs [default: those of the release build].
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! python3 -c 'import jax, numpy' 2>/dev/null; then
    echo 'gpu-check.sh: python3 has no NumPy or no JAX' >&2
    exit 3
fi
programs=${PROGRAMS:-${CARGO_TARGET_DIR:-target}/release}
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
# Runs a program silently. If it fails, prints its output and exits with status 1: status 3 means that there is no JAX.
quietly() {
    local status=0
    "$@" >"$files/said" 2>&1 || status=$?
    if [ "$status" != 0 ]; then
        cat "$files/said" >&2
        echo "gpu-check.sh: failed with status $status: $*" >&2
        exit 1
    fi
}
for rule in renju standard; do
    games=$files/$rule.games net=$files/$rule.net positions=$files/$rule
    quietly "$programs/kagetsu" selfplay make "$games" --rule "$rule" --size 9 --games 60 --nodes 50
    # A net that has learned: some of its neurons are beyond their bounds.
    quietly "$programs/kagetsu-train" --out "$net" --from "src/eval/nets/$rule.net" --expand "$positions" "$games"
    echo "$rule:"
    python3 scripts/train/gpu.py --check "$positions" "$net.checkpoint"
done
