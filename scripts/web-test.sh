#!/usr/bin/env bash
# Tests the page in a real browser, clicking as a person does.
# Usage: scripts/web-test.sh [--screenshots FOLDER] [NAME...]     NAME picks the tests whose names contain it.
# KAGETSU names the program (default: a fresh build), CHROMIUM the browser (default: that of this machine), FIREFOX a
# Firefox for one walk through the page (default: that of this machine; skipped if there is none), PAGE a folder to take the
# page's scripts and styles from instead of the program. Exit status 77 if there is no browser or no Node.
set -euo pipefail

skip() { echo "web-test: not tested: $*" >&2; exit 77; }

if [ "${1:-}" = --screenshots ]; then
    : "${2:?--screenshots needs a folder}"
    mkdir -p "$2"
    SCREENSHOTS=$(cd "$2" && pwd)
    export SCREENSHOTS
    shift 2
fi
cd "$(dirname "$0")/.."
command -v node >/dev/null || skip "there is no node"
for name in chromium chromium-browser google-chrome; do
    [ -n "${CHROMIUM:-}" ] || CHROMIUM=$(command -v "$name" || true)
done
[ -n "${CHROMIUM:-}" ] || skip "there is no Chromium: install it, or name one in CHROMIUM"
[ -x "$CHROMIUM" ] || skip "CHROMIUM '$CHROMIUM': expected the path of a program"
for name in firefox-esr firefox; do
    [ -n "${FIREFOX:-}" ] || FIREFOX=$(command -v "$name" || true)
done
[ -n "${FIREFOX:-}" ] || echo "web-test: there is no Firefox: tested in Chromium alone" >&2
[ -d web/node_modules/puppeteer-core ] || (cd web && npm ci --silent --ignore-scripts) \
    || skip "npm cannot install the packages"
if [ -z "${KAGETSU:-}" ]; then
    cargo build --release --bin kagetsu
    KAGETSU=${CARGO_TARGET_DIR:-target}/release/kagetsu
fi
KAGETSU=$(realpath "$KAGETSU")
export CHROMIUM FIREFOX KAGETSU
pattern=$(IFS='|'; echo "$*")
exec node --test ${pattern:+--test-name-pattern="$pattern"} web/browser/all.test.js \
    web/browser/firefox.test.js
