# Sourced by scripts that play matches, in the root of the repository: programs, and the result of a match. A signal to
# such a script also stops its match.
# shellcheck shell=bash
. scripts/stoppable.sh
. scripts/quoting.sh

build() { # package, binary
    work cargo build --quiet --release -p "$1" --bin "$2" >&2
}

# Sets `kagetsu`, the program that plays the matches: that of the environment variable KAGETSU, or a fresh build.
find_kagetsu() {
    kagetsu=${KAGETSU:-}
    if [ -z "$kagetsu" ]; then
        build kagetsu-cli kagetsu
        kagetsu=${CARGO_TARGET_DIR:-target}/release/kagetsu
    fi
}

# Puts a build of the working tree into the folder of a new match, unless ENGINE names the engine to measure. A match that
# was begun keeps its build: its later games must not be those of a later build. Call it for all matches before the first one
# is played, so that they measure the same engine.
keep_engine() { # folder
    if [ -n "${ENGINE:-}" ]; then return; fi
    if [ -e "$1/pbrain-kagetsu" ]; then
        echo "$1: measures the engine of its first start" >&2
        return
    fi
    build kagetsu pbrain-kagetsu
    mkdir -p "$1"
    # Half a copy must not be taken for the engine.
    cp "${CARGO_TARGET_DIR:-target}/release/pbrain-kagetsu" "$1/pbrain-kagetsu.part"
    mv "$1/pbrain-kagetsu.part" "$1/pbrain-kagetsu"
}

# Prints the command of the engine to measure: that of the environment variable ENGINE, or the build in the folder of the match.
engine_of() { # folder
    if [ -n "${ENGINE:-}" ]; then
        printf '%s\n' "$ENGINE"
    else
        printf '%s\n' "$(quoted "$1/pbrain-kagetsu")"
    fi
}

# Prints the openings to measure under a rule: the list of the environment variable OPENINGS; without it those for testing that
# were chosen by outcome, if there are any, because both colours can win them; else the balanced ones.
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

# Prints the checksums of an engine's program and of the files that its arguments name, such as --net=FILE. In its command
# the program follows settings such as name=other. The paths in its arguments begin at the folder of the setting dir.
engine_checksums() { # command
    local word file program='' folder=.
    while IFS= read -r word; do
        if [ -n "$program" ]; then
            for file in "$word" "${word#*=}"; do
                if [[ $file != /* ]]; then file=$folder/$file; fi
                if [ -f "$file" ]; then
                    echo "file $(checksum "$file")"
                    break
                fi
            done
        elif [[ ! $word =~ ^[A-Za-z0-9_-][A-Za-z0-9._-]*= ]]; then
            program=$word
            echo "program $(checksum "$(type -P -- "$word" || true)")"
        elif [[ $word == dir=* ]]; then
            folder=${word#dir=}
        fi
    done < <(xargs -n 1 printf '%s\n' <<<"$1")
}

# Prints everything that decides the games of a match: its arguments, and checksums of the engines' programs, their files and
# the openings.
order_of() { # arguments of kagetsu match
    local argument before=
    for argument in "$@"; do
        LC_ALL=C printf '%q\n' "$argument"
        case $before in
        --engine) engine_checksums "$argument" ;;
        --openings) echo "openings $(checksum "$argument")" ;;
        esac
        before=$argument
    done
}

# Plays a match with its games in a folder, or continues it, and writes its events to the file `events` there. The file `order`
# there has the settings of the games, so that they are not taken for the result of another match. The folder is locked
# meanwhile, because another call would write over the events.
play() { # folder, games side by side, arguments of kagetsu match for a new match
    local folder=$1 concurrency=$2 order
    shift 2
    order=$(order_of "$@")
    if ! command -v flock >/dev/null; then
        echo "${0##*/}: expected the program flock (of util-linux) in the PATH" >&2
        exit 1
    fi
    mkdir -p "$folder"
    exec 9>>"$folder/lock"
    if ! flock -n 9; then
        echo "${0##*/}: $folder: another call plays this match: expected its end, or a new OUT" >&2
        exit 1
    fi
    if [ ! -e "$folder/plan.json" ]; then
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
    # The match does not inherit the lock: an engine that outlives it would keep it.
    work "$kagetsu" match "$@" --concurrency "$concurrency" --json >"$folder/events" 9<&-
    exec 9<&-
}

# Prints the first engine's result from the output of `match --json`: games, score in per cent, Elo and its error ('-' if
# there are too few games), decisive pairs won and lost, pairs that went to one colour twice, and of how many. It is read
# from the last event (docs/json.md).
result() { # folder of the match
    tail -n 1 "$1/events" | awk '
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
            # Before "one_coloured" the key "pairs" has a list.
            one = number("pairs"); of = number("of")
            print games, 100 * (wins + draws / 2) / games, elo, error, pairs[4] + pairs[5], pairs[1] + pairs[2], one, of
        }'
}
