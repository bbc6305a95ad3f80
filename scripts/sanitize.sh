#!/usr/bin/env bash
# Runs tests under a sanitizer or in Miri.
#
#   scripts/sanitize.sh address [ARGUMENT...]   accesses outside of memory: unit tests of the library, protocol
#   scripts/sanitize.sh thread [ARGUMENT...]    data races: searches of four threads
#   scripts/sanitize.sh miri [ARGUMENT...]      undefined behaviour: transposition tables and their memory
#   scripts/sanitize.sh all                     the three, one after another
#
# Arguments replace those that are given to `cargo test`. Overflow checks and debug assertions need no script: every
# `cargo test` has both (`profile.test` inherits them from `profile.dev`).
#
# The sanitizers are not stable yet, so RUSTC_BOOTSTRAP has the compiler of the releases accept them. For data races the
# standard library is compiled along: its source comes from rustup (`rustup component add rust-src`) or, on Debian, from
# `scripts/windows.sh std`, in the folder named there. Miri needs a nightly toolchain with the components miri and rust-src.
#
# Exit status 3: a tool is missing (the message names it), and the check was not made.
set -euo pipefail

kind=${1:-}
case $kind in
address | thread | miri) shift ;;
all)
    if [ $# -gt 1 ]; then
        echo "sanitize.sh: 'all' takes no arguments" >&2
        exit 2
    fi
    ;;
*)
    if [ -n "$kind" ]; then echo "sanitize.sh: '$kind': expected address, thread, miri or all" >&2; fi
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
    ;;
esac
cd "$(dirname "$0")/.."
if [ "$kind" = all ]; then
    status=0
    for kind in address thread miri; do
        echo "== $kind"
        result=0
        scripts/sanitize.sh "$kind" || result=$?
        case $result in
        0) ;;
        3) [ "$status" != 0 ] || status=3 ;;
        *) status=1 ;;
        esac
    done
    exit "$status"
fi

host=$(rustc -vV | sed -n 's/^host: //p')
# A target folder of its own, because other builds have other flags. --target keeps the flags from build scripts.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/sanitized
options=(--target "$host") cargo=(cargo test)

# Finds the source of the standard library.
find_std() {
    local version folder
    version=$(rustc -V | cut -d' ' -f2)
    folder=${KAGETSU_RUST_SRC:-${XDG_CACHE_HOME:-$HOME/.cache}/kagetsu/rust-src-$version}/usr/src/rustc-$version/library
    if [ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ]; then return; fi
    if ! [ -f "$folder/std/Cargo.toml" ]; then
        echo "sanitize.sh: NOT CHECKED for data races: no source of the standard library; 'rustup component add rust-src'," \
            "or 'scripts/windows.sh std'" >&2
        exit 3
    fi
    __CARGO_TESTS_ONLY_SRC_ROOT=$(realpath "$folder")
    export __CARGO_TESTS_ONLY_SRC_ROOT
}

case $kind in
address | thread)
    export RUSTC_BOOTSTRAP=1
    # Some tests ask for more memory than there is and expect an error. Others leak a static net on purpose.
    export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0
    export RUSTFLAGS="-Zsanitizer=$kind -Cforce-frame-pointers=yes -Cdebuginfo=line-tables-only ${RUSTFLAGS:-}"
    ;;
esac
case $kind in
address)
    # Skips the tests that measure memory, because the sanitizer takes memory itself, and one test that is too slow under it.
    arguments=(-p kagetsu --lib --test protocol -- --skip no_memory_is_taken --skip stays_within_its_memory
        --skip take_no_more_memory --skip tables_are_taken_before --skip opening::swap2board)
    ;;
thread)
    find_std
    options+=(-Zbuild-std=std,panic_unwind)
    arguments=(-p kagetsu --test searching -- races:: several_threads the_last_thread)
    ;;
miri)
    if ! cargo +nightly miri --version >/dev/null 2>&1; then
        echo "sanitize.sh: NOT CHECKED by Miri: 'rustup toolchain install nightly --component miri --component rust-src'" >&2
        exit 3
    fi
    export MIRIFLAGS="-Zmiri-disable-isolation ${MIRIFLAGS:-}"
    cargo=(cargo +nightly miri test)
    # Only the tests of the tables' words: filling megabytes and loading a net take too long in an interpreter.
    # as_large_as fills a table as large as memory allows.
    arguments=(-p kagetsu --lib -- search::tt::tests:: words_begin solve::table:: --skip as_large_as)
    ;;
esac
if [ $# -gt 0 ]; then arguments=("$@"); fi
exec "${cargo[@]}" "${options[@]}" "${arguments[@]}"
