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
        # Bash goes on after a failure within $(...); an earlier build must not be taken for this one, nor half a copy.
        build kagetsu pbrain-kagetsu || return 1
        cp "${CARGO_TARGET_DIR:-target}/release/pbrain-kagetsu" "$1/pbrain-kagetsu.part" || return 1
        mv "$1/pbrain-kagetsu.part" "$1/pbrain-kagetsu" || return 1
    fi
    printf "'%s/pbrain-kagetsu'\n" "$1"
}

# Prints the openings to measure under a rule: the list of the environment variable OPENINGS, or those for testing that were
# chosen by outcome where there are such, for both colours can win them; else the balanced ones.
openings_of() { # rule with its board size
    local chosen=book/openings/by-outcome/$1-testing.txt
    if [ -n "${OPENINGS:-}" ]; then
        printf '%s\n' "$OPENINGS"
    elif [ -e "$chosen" ]; then
        echo "$chosen"
    else
        echo "book/openings/$1.txt"
    fi
}

# Prints the beginning of a file's SHA-256, or '-' if there is no such file.
checksum() { # file
    if [ -f "$1" ]; then sha256sum <"$1" | cut -c1-16; else echo -; fi
}

# Prints the checksum of an engine's program. In its command the program follows settings such as name=other.
program_checksum() { # command
    local word
    while IFS= read -r word; do
        if [[ ! $word =~ ^[A-Za-z0-9_-][A-Za-z0-9._-]*= ]]; then
            checksum "$(type -P -- "$word" || true)"
            return
        fi
    done < <(xargs -n 1 printf '%s\n' <<<"$1")
    echo -
}

# Prints what decides the games of a match: its arguments, and checksums of the engines' programs and the openings.
order_of() { # arguments of kagetsu match
    local argument before=
    for argument in "$@"; do
        LC_ALL=C printf '%q\n' "$argument"
        case $before in
        --engine) echo "program $(program_checksum "$argument")" ;;
        --openings) echo "openings $(checksum "$argument")" ;;
        esac
        before=$argument
    done
}

# Plays a match with its games in a folder, or continues it, and writes its events to a file. The folder keeps the order of
# its games: they must not be taken for the result of another one.
play() { # folder, file of events, games side by side, arguments of kagetsu match for a new match
    local folder=$1 events=$2 concurrency=$3 order
    shift 3
    order=$(order_of "$@")
    if [ ! -e "$folder/plan.json" ]; then
        mkdir -p "$folder"
        printf '%s\n' "$order" >"$folder/order"
        set -- "$@" --out "$folder"
    elif [ ! -e "$folder/order" ]; then
        echo "${0##*/}: $folder: has games, but no file 'order' with their settings: expected a new OUT" >&2
        echo "${0##*/}: 'kagetsu match --resume' continues these games" >&2
        exit 1
    elif ! diff "$folder/order" - <<<"$order" >&2; then
        echo "${0##*/}: $folder: has games of other settings (the lines with '<'; this call has those with '>'):" \
            "expected the settings of its first start, or a new OUT" >&2
        exit 1
    else
        set -- --resume "$folder"
    fi
    "$kagetsu" match "$@" --concurrency "$concurrency" --json >"$events"
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
