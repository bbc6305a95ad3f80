// Requests of a person in a match other than moves: a pause, take back, a hint, a draw, the end.

import { confirm } from './dialogs.js';
import * as matches from './match.js';
import { other } from './points.js';

/** @import { App } from './app.js' */
/** @import { Match } from './match.js' */
/** @import { Play } from './play.js' */

/** Time of the engine for a hint in an opening, in milliseconds. */
const HINT_TIME = 3000;

export class PlayActions {
    /** @param {App} app @param {Play} play */
    constructor(app, play) {
        this.app = app;
        this.play = play;
    }

    /** @param {boolean} isPaused */
    pause(isPaused) {
        const { play } = this;
        play.isPaused = isPaused;
        if (play.turn.isThinking) play.nextTurn();
        if (isPaused) play.onchange(null);
        else void play.advance();
    }

    /** Goes back to the last decision of a person; the moves stay as a variation. */
    takeBack() {
        const { app, play } = this;
        const { match } = play;
        if (!match || !play.tip || (match.regulation && !play.opening)) return;
        play.nextTurn();
        match.over = null;
        match.rate = null;
        app.session.game.result = null;
        if (play.isInOpening) this.#unact(match);
        else {
            const back = () => (play.tip = play.tip?.parent ?? play.tip);
            back();
            if (!matches.areAlike(match) && match.players[matches.seatOf(match, play.side)] === 'engine') {
                if (play.isInOpening) this.#unact(match);
                else back();
            }
        }
        matches.restoreClocks(match, play.turns);
        const tip = /** @type {NonNullable<Play['tip']>} */ (play.tip);
        app.session.go(tip);
        app.moves.readOut(tip);
        void play.advance();
    }

    /**
     * Takes back the last action of a person in the opening, and those of the engine after it. The program then says
     * where the opening stands.
     * @param {Match} match
     */
    #unact(match) {
        matches.takeBackAction(match);
        this.play.tip = this.app.session.game.root;
        this.play.opening = null;
    }

    async hint() {
        const { app, play } = this;
        const { match, opening, turn } = play;
        if (!match || turn.isThinking || turn.isHinted) return;
        turn.isHinted = true;
        try {
            if (opening && !opening.over) {
                const decided = await play.decide(match, 100, { type: 'move', ms: HINT_TIME });
                app.say(`hint: ${decided.action}`);
            } else await app.advice.hint();
        } catch (error) {
            if (turn === play.turn) app.complain(error);
        } finally {
            turn.isHinted = false;
        }
    }

    async offerDraw() {
        const { app, play } = this;
        const { match, tip, turn } = play;
        if (!match || !tip) return;
        let accepted;
        if (match.players[matches.opposite(play.seat)] === 'human') {
            accepted = await confirm('A draw is offered', 'Does the opponent agree?', 'Agree', 'Refuse');
        } else {
            const position = app.session.positionOf(tip);
            const { ends } = app.session;
            try {
                ({ accepted } = await app.connection.ask(
                    { type: 'offer_draw', position, ends, win_rate: match.rate },
                    'draw',
                    turn.signal,
                ));
            } catch (error) {
                if (turn === play.turn) app.complain(error);
                return;
            }
        }
        // A move, the clock or another game has come before the answer.
        if (turn !== play.turn) return;
        if (accepted) play.end('draw by agreement', null);
        else app.say('the draw is refused');
    }

    async resign() {
        const { match, turn } = this.play;
        if (!match) return;
        const resigns = await confirm('Resign', 'Give the game up?', 'Resign');
        // The clock may have ended the game while the question was open.
        if (!resigns || turn !== this.play.turn) return;
        const winner = matches.winnerOver(match, this.play.seat);
        this.play.end(`${winner} wins: ${other(winner)} resigns`, winner);
    }
}
