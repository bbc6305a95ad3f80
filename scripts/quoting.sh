# Sourced by scripts that name programs and folders by their paths in commands, such as those of `kagetsu match --engine`.
# shellcheck shell=bash

# Prints a path as one word of a command.
quoted() { # path
    # A quote ends the quoted part, stands for itself behind a backslash, and the next part begins.
    printf "'%s'" "$(sed "s/'/'\\\\''/g" <<<"$1")"
}
