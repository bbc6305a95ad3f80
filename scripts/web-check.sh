#!/usr/bin/env bash
# Checks the page's sources: format, lints, types, unit tests. A build runs none of these, so a user needs no Node.
# Exit status 77 if Node is missing or npm cannot install the packages, so that a gate can tell "not checked" from "wrong".
# If the variable CI is set, packages that cannot be installed are an error.
set -euo pipefail
cd "$(dirname "$0")/../web"

skip() { echo "web-check: not checked: $*" >&2; exit 77; }

command -v node >/dev/null || skip "there is no node"
command -v npm >/dev/null || skip "there is no npm"
# npm writes the second file at the end of an installation.
if [ package-lock.json -nt node_modules/.package-lock.json ] && ! npm ci --loglevel=error --ignore-scripts >&2; then
    [ -n "${CI:-}" ] || skip "npm cannot install the packages"
    echo "web-check: npm cannot install the packages" >&2
    exit 1
fi

npm run --silent format
npm run --silent lint
npm run --silent types
npm run --silent unit
echo "web-check: the page's sources are in order"
