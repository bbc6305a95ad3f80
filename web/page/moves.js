// Moves on the board: what a click does, moves and lines that are played, passes.

import { confirm } from './dialogs.js';
import { byId } from './dom.js';
import { path, side as sideOf, stonesOf } from './game.js';
import { other } from './points.js';
import { placed } from './spoken.js';

/** @import { Color } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Node } from './game.js' */

export class Moves {
    /** @param {App} app */
    constructor(app) {
        this.app = app;
    }

    /**
     * @param {string} point
     * @param {boolean} [isKey] whether it was chosen by the keyboard
     */
    click(point, isKey = false) {
        const { app } = this;
        if (app.setup.click(point, isKey) || app.gamePanel.click(point)) return;
        if (app.play.isOn && this.#isFoul(point)) {
            void app.explainer.show(point);
            return;
        }
        const isOccupied = this.#isOccupied(point);
        if (app.play.click(point, isOccupied) || app.puzzles.click(point, isOccupied)) return;
        this.play(point);
    }

    /** @param {string} point */
    #isOccupied(point) {
        return stonesOf(this.app.session.position).has(point);
    }

    /** @param {string} point */
    #isFoul(point) {
        const { facts } = this.app;
        return Boolean(facts?.side === 'black' && facts.fouls.some((foul) => foul.point === point));
    }

    /** Says why no variation is played, if that is so. @returns {boolean} */
    #isRefused() {
        const { app } = this;
        if (!app.play.isOn) return app.isOver();
        app.say('a game is going on: lines can be shown, not played');
        return true;
    }

    /**
     * Plays a move, or goes to it if it is already in the game.
     * @param {string} point
     * @param {boolean} [fouls] whether a foul is meant
     */
    play(point, fouls = false) {
        const { app } = this;
        const { session } = app;
        // A foul that is meant is one of the player's own moves.
        if (app.play.isOn && !fouls && this.#isRefused()) return;
        // The file may have removed a stone that was played there earlier.
        if (this.#isOccupied(point)) {
            const there = path(session.node).findLast((node) => node.move === point);
            if (there) session.go(there);
            return;
        }
        if (!fouls && this.#isFoul(point)) {
            void app.explainer.show(point);
            return;
        }
        if (fouls && app.play.click(point, false)) return;
        if (this.#isRefused()) return;
        this.readOut(session.play(point));
    }

    /**
     * Plays a line of moves as a variation, up to the first one that the position does not allow.
     * @param {string[]} moves
     * @param {Color} side who makes the first
     */
    playLine(moves, side) {
        const { app } = this;
        const { session } = app;
        if (this.#isRefused()) return;
        app.board.showLine([]);
        let color = side;
        for (const move of moves) {
            // If all replies lose alike, there is none to play.
            if (move === '-' || this.#isOccupied(move)) break;
            if (sideOf(session.position) !== color) session.play('pass');
            session.play(move);
            color = other(color);
        }
    }

    /** Reads a place in the game out to whoever plays by ear. @param {Node} node */
    readOut(node) {
        byId('spoken').textContent = placed(node);
    }

    /** Passes the turn, if the rules allow it and the user confirms. */
    async pass() {
        const { app } = this;
        const { facts, session } = app;
        if (!facts) {
            app.say('the program has not said yet whether a pass is allowed');
            return;
        }
        if (!facts.may_pass) {
            if (!app.isOver()) app.say('no pass is allowed here');
            return;
        }
        if (app.play.isOn) {
            app.say('in a game, pass beside the clock');
            return;
        }
        const { node } = session;
        if (!(await confirm('Pass', 'Pass the turn?', 'Pass'))) return;
        // The engine may have moved while the question was open.
        if (node === session.node) session.play('pass');
        else app.say('the position has changed: nothing is passed');
    }
}
