#!/usr/bin/env bash
# Runs cargo for Windows on a machine with another system.
#
#   scripts/windows.sh check                     does everything compile?
#   scripts/windows.sh build --release --bins    any other command of cargo with its arguments
#   scripts/windows.sh test -p kagetsu           the programs are run by wine
#   scripts/windows.sh std                       fetches the standard library from Debian where rustup has none
#
# Needs mingw-w64 with POSIX threads (on Debian gcc-mingw-w64-x86-64-posix) and a standard library for Windows, which is
# usually installed by
#
#   rustup target add x86_64-pc-windows-gnu
#
# Where rustup cannot reach its server, 'std' takes the library's source from Debian (rust-src, in the compiler's exact
# version) and unpacks it into the user's cache; it is then compiled along. apt is given a configuration of its own for
# that: the machine's sources and its list of packages stay as they are. KAGETSU_DEBIAN_SUITE names the suite,
# trixie-backports by default, KAGETSU_DEBIAN_MIRROR the mirror, the machine's own by default, KAGETSU_RUST_SRC the folder.
#
# Exit status 3: the linker or the standard library for Windows is missing; nothing was compiled.
set -euo pipefail

if [ $# -eq 0 ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
fi
cd "$(dirname "$0")/.."

target=x86_64-pc-windows-gnu
linker=x86_64-w64-mingw32-gcc-posix
version=$(rustc -V | cut -d' ' -f2)
folder=${KAGETSU_RUST_SRC:-${XDG_CACHE_HOME:-$HOME/.cache}/kagetsu/rust-src-$version}

fail() {
    echo "windows.sh: $*" >&2
    exit 1
}

# The library's source as Debian has it, unpacked; empty if it is not there.
source_of_std() {
    local library=$folder/usr/src/rustc-$version/library
    if [ -f "$library/std/Cargo.toml" ]; then
        realpath "$library"
    fi
}

# The machine's own mirror of Debian.
mirror() {
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
        sed -n 's/^Debian Debian //p' | sed -n 1p
}

fetch_std() {
    [ -z "$(source_of_std)" ] || return 0
    command -v apt-get >/dev/null || fail "'std' works on Debian only: expected 'rustup target add $target'"
    local suite=${KAGETSU_DEBIAN_SUITE:-trixie-backports}
    local uri=${KAGETSU_DEBIAN_MIRROR:-$(mirror)}
    [ -n "$uri" ] || fail "apt knows no mirror of Debian: name one in KAGETSU_DEBIAN_MIRROR"
    local keys=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -f "$keys" ] || fail "no $keys: 'apt-get install debian-archive-keyring'"
    mkdir -p "$folder"
    # Not local: the trap needs them after the function.
    apt=$(mktemp -d) staging=
    trap 'rm -rf "$apt" ${staging:+"$staging"}' EXIT
    staging=$(mktemp -d "$folder/unpack.XXXXXX")
    mkdir -p "$apt/lists/partial" "$apt/archives/partial"
    : >"$apt/status"
    echo "deb [signed-by=$keys] $uri $suite main" >"$apt/sources.list"
    local options=(
        -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$apt/lists"
        -o "Dir::State::Status=$apt/status" -o "Dir::Cache=$apt" -o "Dir::Cache::Archives=$apt/archives"
        -o Acquire::Languages=none -o APT::Sandbox::User=root -q
    )
    apt-get "${options[@]}" update >&2
    local package
    package=$(apt-cache "${options[@]}" madison rust-src | cut -d'|' -f2 | tr -d ' ' | grep "^$version" | sed -n 1p) ||
        fail "$suite has no rust-src $version"
    (cd "$apt" && apt-get "${options[@]}" download "rust-src=$package" >&2)
    # The library takes its place only when it is complete.
    dpkg-deb -x "$apt"/rust-src_*.deb "$staging"
    # Only this version's own folder is replaced: KAGETSU_RUST_SRC may be one that holds more, even the root.
    mkdir -p "$folder/usr/src"
    rm -rf "${folder:?}/usr/src/rustc-${version:?}"
    mv "$staging/usr/src/rustc-$version" "$folder/usr/src/"
    [ -n "$(source_of_std)" ] || fail "the package of rust-src $package holds no library"
    echo "standard library's source: $(source_of_std)" >&2
}

if [ "$1" = std ]; then
    fetch_std
    exit 0
fi

export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=${CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER:-$linker}
# Cargo takes words after a space for arguments, and a relative path from where it is started.
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=${CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER:-scripts/wine.sh}
# Link mingw's libraries statically (crt-static), and leave out the time of the build, so that the same source gives the
# same bytes.
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS="-Ctarget-feature=+crt-static \
-Clink-arg=-Wl,--no-insert-timestamp ${RUSTFLAGS:-}"
unset RUSTFLAGS
command -v "$CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER" >/dev/null || {
    echo "windows.sh: no $CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER: nothing is compiled for Windows" >&2
    exit 3
}

command=$1
shift
if [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    exec cargo "$command" --target "$target" "$@"
fi
library=$(source_of_std)
[ -n "$library" ] || {
    echo "windows.sh: no standard library for Windows: nothing is compiled for it" >&2
    echo "windows.sh: 'rustup target add $target', or '$0 std' on Debian" >&2
    exit 3
}
# The compiler of the release builds its own library only with features that are not stable.
export RUSTC_BOOTSTRAP=1 __CARGO_TESTS_ONLY_SRC_ROOT=$library
exec cargo "$command" -Zbuild-std=std,panic_unwind --target "$target" "$@"
