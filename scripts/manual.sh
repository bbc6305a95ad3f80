# Sourced by scripts, in the root of the repository: the files of the manual, and a check of its links.
# shellcheck shell=bash

manual_pages() { git ls-files README.md CONTRIBUTING.md 'docs/*.md' book/README.md scripts/train/README.md; }

manual_pictures() { git ls-files 'docs/*.png'; }

# Prints the relative links of a page, without their anchors. Text in code is no link.
links_of() { # page
    awk '
        /^ *(```|~~~)/ { code = !code; next }
        code { next }
        {
            gsub(/`[^`]*`/, "")
            while (match($0, /(\]\(|^ *\[[^]]*\]: *|href="|src=")[^")# ]+/)) {
                link = substr($0, RSTART, RLENGTH)
                $0 = substr($0, RSTART + RLENGTH)
                sub(/^(\]\(|.*\]: *|href="|src=")/, "", link)
                if (link !~ /:/) print link
            }
        }' "$1"
}

# Fails if a link of the manual leads to a file that is not in it: the archives of a release have no sources.
check_manual_links() {
    local page link files status=0
    files=$(manual_pages && manual_pictures)
    while IFS= read -r page; do
        while IFS= read -r link; do
            if ! grep -qxF "$(realpath -m --relative-to=. "$(dirname "$page")/$link")" <<<"$files"; then
                echo "$page: links to '$link': expected a page or picture of the manual, or the name as code without a link" >&2
                status=1
            fi
        done < <(links_of "$page")
    done < <(manual_pages)
    return "$status"
}
