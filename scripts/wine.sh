#!/usr/bin/env bash
# Runs a program of Windows by wine, in a prefix of its own: the runner of scripts/windows.sh.
#
#   scripts/wine.sh PROGRAM ARGUMENTS
#
# The prefix is a folder under the target folder, or what WINEPREFIX names. Wine before version 9 has no
# bcryptprimitives.dll, from which programs of Rust take their random numbers; a small one is compiled for it.
set -euo pipefail

if [ $# -eq 0 ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
fi
fail() {
    echo "wine.sh: $*" >&2
    exit 1
}
command -v wine >/dev/null || fail "no wine, which runs programs of Windows: on Debian 'apt-get install wine'"
here=$(cd "$(dirname "$0")" && pwd)
# Cargo runs tests in the folders of their packages; a relative path begins at the root of the repository.
target=$(cd "$here/.." && realpath -m "${CARGO_TARGET_DIR:-target}")
mkdir -p "$target"
WINEPREFIX=${WINEPREFIX:-$target/wine}
export WINEPREFIX WINEDEBUG=${WINEDEBUG:--all}

# Several tests start at once; one of them prepares the prefix.
prepare() {
    exec 9>"$target/wine.lock"
    flock 9
    [ -d "$WINEPREFIX/drive_c/windows/system32" ] || wine wineboot --init >/dev/null 2>&1 9>&- ||
        fail "wine cannot prepare $WINEPREFIX: 'WINEPREFIX=$WINEPREFIX wine wineboot --init' says why"
    local library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
    [ -e "$library" ] ||
        x86_64-w64-mingw32-gcc-posix -shared -s -O1 -o "$library" "$here/wine/bcryptprimitives.c" -ladvapi32
    exec 9>&-
}
[ -e "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" ] || prepare
exec wine "$@"
