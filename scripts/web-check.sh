#!/usr/bin/env bash
# Checks the page's sources: format, lints, types, unit tests. A build runs none of these, so a user needs no Node.
# Exit status 77 if Node is not at hand or its packages cannot be had, so that a gate can tell "not checked" from "wrong".
set -euo pipefail
cd "$(dirname "$0")/../web"

skip() { echo "web-check: not checked: $*" >&2; exit 77; }

command -v node >/dev/null || skip "there is no node"
command -v npm >/dev/null || skip "there is no npm"
[ -d node_modules/typescript ] || npm ci --silent --ignore-scripts || skip "npm cannot install the packages"

npm run --silent format
npm run --silent lint
npm run --silent types
npm run --silent unit
echo "web-check: the page's sources are in order"
