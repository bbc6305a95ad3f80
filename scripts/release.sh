#!/usr/bin/env bash
# Makes the archives of a release from the commit that is checked out.
#
#   scripts/release.sh VERSION [OUT]
#
# Puts into OUT, by default target/release-VERSION, files that it replaces if they are there, when all of them are made:
#
#   kagetsu64.zip                        for Gomocup and managers: pbrain-kagetsu64.exe, a short README, licences
#   kagetsu-VERSION-windows-x64.zip      both programs, kagetsu-board.cmd, the manual, licences and openings
#   kagetsu-VERSION-linux-x64.tar.gz     both programs, the manual, licences, openings, man pages and completions
#   kagetsu_VERSION_amd64.deb            the same as a Debian package
#   kagetsu-VERSION-line-tables.tar.gz   tables that turn the addresses of a crash into lines of the source
#   SHA256SUMS
#
# It builds a clone, so that only committed files count. The same commit gives the same bytes wherever it is built, if the
# compiler, mingw-w64, pandoc and zip are of the same versions: times are the commit's, and paths of the machine are cut
# off. It needs those, cargo-deb, and a standard library for Windows (scripts/windows.sh): docs/release.md.
#
# MINGW_COPYRIGHT names the notices of mingw-w64, whose startup code and libraries are in the programs for Windows
# [default: those of Debian's package].
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
fi
version=$1
# A relative OUT begins where the script is called.
out=${2:+$(realpath -m -- "$2")}
cd "$(dirname "$0")/.."
. scripts/manual.sh
top=$PWD
out=${out:-$top/target/release-$version}
std_notices=$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html
mingw_notices=${MINGW_COPYRIGHT:-/usr/share/doc/mingw-w64-x86-64-dev/copyright}

fail() {
    echo "release.sh: $*" >&2
    exit 1
}

# Checks that the tools are there, that the version is the manifest's, and that the texts in the archives are for this release.
check() {
    local tool
    for tool in git cargo cargo-deb dpkg-deb dpkg-shlibdeps pandoc zip strip objcopy objdump x86_64-w64-mingw32-strip; do
        command -v "$tool" >/dev/null || fail "no $tool: docs/release.md says what is needed"
    done
    local stated
    stated=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
    [ "$stated" = "$version" ] || fail "the manifest says version $stated"
    [ -f "$std_notices" ] || fail "no $std_notices, the notices of the standard library: expected a toolchain of rustup"
    [ -f "$mingw_notices" ] || fail "no $mingw_notices, the notices of mingw-w64: MINGW_COPYRIGHT names another file"
    grep -qx "## \[${version//./\\.}\] - [0-9]\{4\}-[0-9][0-9]-[0-9][0-9]" CHANGELOG.md ||
        fail "CHANGELOG.md: expected a line '## [$version] - YYYY-MM-DD'"
    [ -z "$(sed -n '/^## \[Unreleased\]/,/^## \[/{/^## \[/d;/^$/d;p}' CHANGELOG.md)" ] ||
        fail "CHANGELOG.md: [Unreleased] has entries: expected them under [$version]"
    ! grep -q 'Nothing has been released' CHANGELOG.md || fail "CHANGELOG.md says that nothing has been released"
    ! grep -q 'no release to download' README.md || fail "README.md says that there is no release to download"
    check_manual_links || fail "the manual has links that lead out of it"
    # Other files do not get into the clone; OUT may be among them.
    [ -z "$(git status --porcelain --untracked-files=no)" ] || fail "there are changes that are not committed"
}

# The environment in which the same source gives the same bytes.
settle() {
    commit=$(git rev-parse HEAD)
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
    stamp=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M.%S)
    export SOURCE_DATE_EPOCH KAGETSU_COMMIT=$commit LC_ALL=C TZ=UTC CARGO_INCREMENTAL=0
    umask 022
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    source=$work/kagetsu made=$work/made
    mkdir "$made"
    # Paths in messages of panics and line tables; of the library's source too, where scripts/windows.sh has put it.
    local cargo=${CARGO_HOME:-$HOME/.cargo} std
    std=${KAGETSU_RUST_SRC:-${XDG_CACHE_HOME:-$HOME/.cache}/kagetsu/rust-src-$(rustc -V | cut -d' ' -f2)}
    local path
    for path in "$work" "$cargo" "$std"; do
        [[ $path != *[[:space:]]* ]] ||
            fail "'$path' has spaces: expected TMPDIR, CARGO_HOME and KAGETSU_RUST_SRC to name paths without"
    done
    export KAGETSU_RUST_SRC=$std CARGO_TARGET_DIR=$work/target
    export RUSTFLAGS="--remap-path-prefix=$source=/kagetsu --remap-path-prefix=$work/target=/target \
--remap-path-prefix=$cargo/registry/src=/registry --remap-path-prefix=$std=/std"
}

build() {
    git clone --quiet --no-hardlinks "$top" "$source"
    git -C "$source" checkout --quiet --detach "$commit"
    cd "$source"
    # Windows first: this ends at once if the linker or the standard library for Windows is missing.
    scripts/windows.sh build --release --locked --bins
    # With a target named, the flags are not those of build scripts.
    cargo build --release --locked --bins --target x86_64-unknown-linux-gnu
    linux=$CARGO_TARGET_DIR/x86_64-unknown-linux-gnu/release
    windows=$CARGO_TARGET_DIR/x86_64-pc-windows-gnu/release
    local resource program
    for program in kagetsu pbrain-kagetsu; do
        resource=$(x86_64-w64-mingw32-objdump -h "$windows/$program.exe" | grep -c '\.rsrc' || true)
        [ "$resource" = 1 ] || fail "$program.exe has no version resource"
    done
}

# Parts the line tables from the programs.
strip_programs() {
    mkdir -p "$work/bin" "$work/line-tables"
    local program
    for program in kagetsu pbrain-kagetsu; do
        objcopy --only-keep-debug "$linux/$program" "$work/line-tables/$program.debug"
        strip -o "$work/bin/$program" "$linux/$program"
        # Without the symbols: the linker writes them in another order each time, and line tables have their own names.
        x86_64-w64-mingw32-objcopy --only-keep-debug "$windows/$program.exe" "$work/$program.exe.debug"
        x86_64-w64-mingw32-objcopy --wildcard --strip-symbol='*' "$work/$program.exe.debug" \
            "$work/line-tables/$program.exe.debug"
        x86_64-w64-mingw32-strip -o "$work/bin/$program.exe" "$windows/$program.exe"
    done
    local glibc
    glibc=$(objdump -T "$work"/bin/*kagetsu | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    echo "the programs for Linux need ${glibc/_/ } or later" >&2
}

# A page of the manual: Markdown to HTML, with links to the other pages.
page() { # source, destination
    mkdir -p "$(dirname "$2")"
    pandoc --from gfm --to html5 --standalone --metadata pagetitle="kagetsu: $(basename "$1" .md)" "$1" |
        sed 's/\(href="[^":]*\)\.md\([#"]\)/\1.html\2/g' >"$2"
}

# Lists the crates in the programs with their licenses, whose texts must be passed on.
third_party() { # target
    local name version license text folder files file
    # CARGO_TERM_COLOR or cargo's configuration may ask for colours, which would get into the text.
    cargo tree --color never --locked --offline -p kagetsu -p kagetsu-cli -e normal --target "$1" \
        --prefix none -f '{p}|{l}' |
        sed 's/ (proc-macro)//; s/ (\*)$//' | grep -v '^kagetsu\|^$' | sort -u | while IFS='|' read -r name license; do
        version=${name##* v} name=${name%% *}
        printf '%s\n%s %s (%s)\n\n' "$(printf '=%.0s' {1..80})" "$name" "$version" "$license"
        text=$name-$version
        # This crate has no text; it lies in the repository of winapi, which has them.
        if [ "$name" = winapi-x86_64-pc-windows-gnu ]; then text='winapi-[0-9]*'; fi
        folder=$(find "${CARGO_HOME:-$HOME/.cargo}/registry/src" -maxdepth 2 -name "$text" | sort -V | tail -n 1)
        [ -n "$folder" ] || fail "the source of $name $version is not in cargo's registry"
        mapfile -t files < <(find "$folder" -maxdepth 1 -type f \( -iname '*licen[cs]e*' -o -iname 'copying*' \) | sort)
        [ "${#files[@]}" -gt 0 ] || fail "$name $version has no text of its license ($license)"
        for file in "${files[@]}"; do
            tr -d '\r' <"$file"
            echo
        done
    done
}

# The licences: our own, and those of what is linked into the programs.
licences() { # folder, target
    cp LICENSE LICENSE-MIT LICENSE-APACHE "$1"
    third_party "$2" >"$1/LICENSES-of-crates.txt"
    install -m 644 "$std_notices" "$1/LICENSES-of-Rust.html"
    if [ "$2" = x86_64-pc-windows-gnu ]; then install -m 644 "$mingw_notices" "$1/LICENSES-of-mingw-w64.txt"; fi
}

# Writes the files that all archives but Gomocup's have besides the programs.
common() { # folder, target
    mkdir -p "$1/openings"
    licences "$1" "$2"
    cp CHANGELOG.md "$1"
    # Its links lead to the manual beside it.
    sed -E 's#(\]\(|src=")([^":)]+\.(md|png))#\1manual/\2#g; s#(\]\(manual/[^)]*)\.md#\1.html#g' README.md >"$1/README.md"
    cp tools/src/picture/font-license.txt "$1/LICENSE-DejaVu.txt"
    cp -r book/openings/. "$1/openings"
    local file
    while IFS= read -r file; do
        page "$file" "$1/manual/${file%.md}.html"
    done < <(manual_pages)
    while IFS= read -r file; do
        install -m 644 "$file" "$1/manual/$file"
    done < <(manual_pictures)
}

# Man pages and completions.
generated() { # folder
    mkdir -p "$1/man/man1" "$1/completions"
    "$work/bin/kagetsu" man "$1/man/man1"
    "$work/bin/kagetsu" completions bash >"$1/completions/kagetsu.bash"
    "$work/bin/kagetsu" completions zsh >"$1/completions/_kagetsu"
    "$work/bin/kagetsu" completions fish >"$1/completions/kagetsu.fish"
}

archive_zip() { # folder whose content is archived, archive
    find "$1" -exec touch -h -t "$stamp" {} +
    (cd "$1" && find . -type f | sed 's|^\./||' | sort | zip -q -9 -X -@ "$2")
}

archive_tar() { # folder, archive
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu \
        -C "$(dirname "$1")" -c "$(basename "$1")" | gzip -9n >"$2"
}

gomocup() {
    local folder=$work/gomocup
    mkdir -p "$folder"
    cp "$work/bin/pbrain-kagetsu.exe" "$folder/pbrain-kagetsu64.exe"
    licences "$folder" x86_64-pc-windows-gnu
    cat >"$folder/README.txt" <<END
kagetsu $version, a gomoku and Renju engine for managers of the Gomocup protocol.

Rules: freestyle, standard, Renju, caro, caro with winning sixes (INFO rule 0, 1, 4, 9, 8), on boards from 5x5 to 22x22.
Windows 10 or later, x64; nothing has to be installed. It uses AVX2 or AVX-512 if the processor has them, and runs without
them too.
It writes no file but a log, if the environment variable KAGETSU_LOG names one.

In Piskvork: Players, Settings, and choose pbrain-kagetsu64.exe as the program of a player.
In Yixin-Board: copy pbrain-kagetsu64.exe into the folder of the board, under the name engine.exe.

License: MIT or Apache-2.0, at your option. LICENSES-of-* are those of libraries. Commit $commit
END
    sed -i 's/$/\r/' "$folder/README.txt"
    archive_zip "$folder" "$made/kagetsu64.zip"
    local size
    size=$(stat -c %s "$made/kagetsu64.zip")
    [ "$size" -lt $((8 << 20)) ] || fail "kagetsu64.zip has $size bytes: Gomocup takes less than 8 MiB"
}

windows_zip() {
    local name=kagetsu-$version-windows-x64
    common "$work/w/$name" x86_64-pc-windows-gnu
    cp "$work"/bin/*.exe assets/kagetsu-board.cmd "$work/w/$name"
    archive_zip "$work/w" "$made/$name.zip"
}

linux_tar() {
    local folder=$work/kagetsu-$version-linux-x64
    common "$folder" x86_64-unknown-linux-gnu
    generated "$folder"
    install -m 755 "$work/bin/kagetsu" "$work/bin/pbrain-kagetsu" "$folder"
    archive_tar "$folder" "$made/$(basename "$folder").tar.gz"
}

debian() {
    # cargo-deb takes programs from the target folder; these are stripped already.
    cp "$work/bin/kagetsu" "$work/bin/pbrain-kagetsu" "$linux"
    mkdir -p "$source/target/deb"
    cp -r "$work/kagetsu-$version-linux-x64/." "$source/target/deb"
    local package=$made/kagetsu_${version}_amd64.deb
    cargo deb --quiet --locked -p kagetsu-cli --no-build --no-strip --target x86_64-unknown-linux-gnu \
        --deb-revision= --output "$package"
    # If dpkg-shlibdeps fails, cargo-deb makes a package that names no library.
    [[ $(dpkg-deb --field "$package" Depends) == *libc6* ]] ||
        fail "the Debian package does not depend on libc6: expected a Debian on which dpkg-shlibdeps finds it"
}

line_tables() {
    local folder=$work/kagetsu-$version-line-tables
    mv "$work/line-tables" "$folder"
    archive_tar "$folder" "$made/$(basename "$folder").tar.gz"
}

check
mkdir -p "$out"
out=$(cd "$out" && pwd)
settle
build
strip_programs
gomocup
windows_zip
linux_tar
debian
line_tables
cd "$made"
archives=(
    kagetsu64.zip
    "kagetsu-$version-windows-x64.zip"
    "kagetsu-$version-linux-x64.tar.gz"
    "kagetsu_${version}_amd64.deb"
    "kagetsu-$version-line-tables.tar.gz"
)
sha256sum -- "${archives[@]}" >SHA256SUMS
# Only a whole release takes the place of an earlier one. OUT may be on another disk, and that disk may be full.
part=$(mktemp -d "$out/part.XXXXXX")
trap 'rm -rf "$work" "$part"' EXIT
mv -- "${archives[@]}" SHA256SUMS "$part"
# Only the archives are removed: OUT may have other files.
(cd "$out" && rm -f -- "${archives[@]}" SHA256SUMS)
(cd "$part" && mv -- "${archives[@]}" SHA256SUMS "$out")
cd "$out"
ls -l -- "${archives[@]}" SHA256SUMS >&2
