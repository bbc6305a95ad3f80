# Sourced by scripts that play matches, in the root of the repository: programs, and the result of a match.
# shellcheck shell=bash

build() { # package, binary
    cargo build --quiet --release -p "$1" --bin "$2" >&2
}

# Sets `kagetsu`, the program that plays the matches: that of the environment variable KAGETSU, or a fresh build.
find_kagetsu() {
    kagetsu=${KAGETSU:-}
    if [ -z "$kagetsu" ]; then
        build kagetsu-cli kagetsu
        kagetsu=${CARGO_TARGET_DIR:-target}/release/kagetsu
    fi
}

# Prints the command of the engine to measure: that of the environment variable ENGINE, or a build of the working tree. The
# build lies with the games of the directory: later games must not be those of a later build.
engine_of() { # directory
    if [ -n "${ENGINE:-}" ]; then
        printf '%s\n' "$ENGINE"
        return
    fi
    if [ ! -e "$1/pbrain-kagetsu" ]; then
        build kagetsu pbrain-kagetsu
        cp "${CARGO_TARGET_DIR:-target}/release/pbrain-kagetsu" "$1/"
    fi
    printf "'%s/pbrain-kagetsu'\n" "$1"
}

# Prints the openings to measure under a rule: those for testing that were chosen by outcome where there are such, for both
# colours can win them; else the balanced ones.
openings_of() { # rule with its board size
    local chosen=book/openings/by-outcome/$1-testing.txt
    if [ -e "$chosen" ]; then echo "$chosen"; else echo "book/openings/$1.txt"; fi
}

# Prints the first engine's result from the output of `match --json`: games, score in per cent, Elo and its error ('-' if
# there are too few games), decisive pairs won and lost, openings that went to one colour, and of how many. It is read from
# the last event (docs/json.md).
result() { # file
    tail -n 1 "$1" | awk '
        function number(key) { # the first number under this key from "counts" on; "" for null
            if (!match(text, "\"" key "\":[-0-9.]+")) return ""
            return substr(text, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
        }
        {
            text = substr($0, index($0, "\"counts\":"))
            wins = number("wins"); draws = number("draws"); games = wins + draws + number("losses")
            match(text, /"pairs":\[[0-9,]+\]/)
            split(substr(text, RSTART + 9, RLENGTH - 10), pairs, ",")
            elo = error = "-"
            if (text ~ /"reliable":true/ && number("elo") != "" && number("elo_error") != "") {
                elo = number("elo"); error = number("elo_error")
            }
            one = number("openings"); of = number("of")
            print games, 100 * (wins + draws / 2) / games, elo, error, pairs[4] + pairs[5], pairs[1] + pairs[2], one, of
        }'
}
