// The players above the board: names, clocks, whose turn it is.

import * as clocks from './clock.js';
import { byId, write } from './dom.js';
import { property } from './game.js';
import * as matches from './match.js';
import { capital } from './words.js';

/** @import { Color } from './schema.js' */
/** @import { Play } from './play.js' */
/** @import { Session } from './session.js' */

export class Players {
    /** @param {Session} session @param {Play} play */
    constructor(session, play) {
        this.session = session;
        this.play = play;
    }

    show() {
        for (const color of /** @type {Color[]} */ (['black', 'white'])) {
            const { name, clock, isActive } = this.#player(color);
            const line = byId(`player-${color}`);
            const [, label, time] = line.children;
            write(label, name || capital(color));
            write(time, clock);
            line.classList.toggle('active', isActive);
        }
    }

    /** @param {Color} color */
    #player(color) {
        const { match, isPaused, turn } = this.play;
        const name = property(this.session.game, matches.NAMES[color]);
        if (!match) return { name, clock: '', isActive: false };
        const seat = matches.seatOf(match, color);
        const isActive = !match.over && this.play.seat === seat;
        const used = isActive && !isPaused ? turn.used : 0;
        const clock = clocks.format(match.timing.kind === 'none' ? Infinity : match.left[seat] - used);
        const player = !matches.areAlike(match) && match.players[seat] === 'human' ? 'You' : '';
        return { name: name || player, clock, isActive };
    }
}
