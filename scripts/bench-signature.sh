#!/usr/bin/env bash
# Measures the bench signature: a number that changes when the search visits other nodes or finds other values.
#
#   scripts/bench-signature.sh               prints it
#   scripts/bench-signature.sh --check       fails unless the newest commit with a line "Bench: N" states it
#   scripts/bench-signature.sh --message F   sets the last line of the commit message in file F to "Bench: N" if the
#                                            signature is not the one that was stated last
#   --fast                                   builds without link-time optimisation, into target/bench: quicker to build
#
# KAGETSU names a program that was already built; then nothing is built.
#
# A hook can do this for every commit:
#   printf '#!/bin/sh\nexec env -u KAGETSU scripts/bench-signature.sh --fast --message "$1"\n' > .git/hooks/commit-msg
#   chmod +x .git/hooks/commit-msg
set -euo pipefail
cd "$(dirname "$0")/.."

check='' message='' fast=''
while [ $# -gt 0 ]; do
    case $1 in
    --check) check=1 ;;
    --fast) fast=1 ;;
    --message)
        message=${2:?--message needs the file of the commit message}
        shift
        ;;
    *)
        sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
        exit 2
        ;;
    esac
    shift
done

target=${CARGO_TARGET_DIR:-target}
if [ -n "$fast" ]; then
    target=$target/bench
    export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=false
fi
program=${KAGETSU:-}
if [ -z "$program" ]; then
    CARGO_TARGET_DIR=$target cargo build --quiet --release -p kagetsu-cli --bin kagetsu
    program=$target/release/kagetsu
fi
measured=$("$program" bench --json | sed -n 's/.*"signature":\([0-9]*\).*/\1/p')
stated=$(git log --format=%B | sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p' | sed -n 1p)
if [ -z "$measured" ]; then
    echo "kagetsu bench --json printed no signature" >&2
    exit 1
fi

if [ -n "$check" ]; then
    echo "measured $measured; the newest commit that states one says ${stated:-none}"
    if [ "$measured" != "$stated" ]; then
        echo "the signature differs from the one that the commit states: end its message with the line 'Bench: $measured'" >&2
        exit 1
    fi
elif [ -n "$message" ]; then
    if [ "$measured" != "$stated" ]; then
        # Git ignores what comes after the scissors line, such as the diff of `git commit -v`.
        scissors='/^. -* >8 -*$/'
        text=$(sed "$scissors,\$d" "$message" | sed '/^Bench: [0-9][0-9]*$/d')
        rest=$(sed -n "$scissors,\$p" "$message")
        # An empty message aborts the commit. Git looks at it after this hook.
        if ! grep -v '^#' <<<"$text" | grep -q '[^[:space:]]'; then exit 0; fi
        printf '%s\n\nBench: %s\n%s\n' "$text" "$measured" "$rest" >"$message"
        echo "Bench: $measured" >&2
    fi
else
    echo "$measured"
fi
