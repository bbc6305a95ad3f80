// The course of a match: its turns, the steps of its opening, moves of people and of the engine, the clocks, the end.

import * as clocks from './clock.js';
import { add, isMain, newGame, path, promote, valueAfter } from './game.js';
import * as matches from './match.js';
import { other } from './points.js';
import { Steps } from './regulation.js';
import { Tip } from './tip.js';
import { Turn } from './turn.js';
import { moved as inWords } from './words.js';

/** @import { Clock, Color, Facts, Opening } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Node } from './game.js' */
/** @import { Match, Seat } from './match.js' */
/** @import { Chosen } from './newgame.js' */

/** Least time between two moves of engines that play each other, in milliseconds. */
const PACE = 500;
/** Time between two looks at the clocks, in milliseconds. */
const TICK = 100;

export class Play {
    /** @type {Match | null} */
    match = null;
    turn = new Turn();
    isPaused = false;
    /** The state of the opening, if the server has said it. @type {Opening | null} */
    opening = null;
    /** Whether the rules of this game have draws by agreement. */
    mayAgree = false;
    /** The steps of the opening for a person. */
    steps = new Steps();
    /** @type {Tip} */
    #tip;
    /** The match stands otherwise than before. @type {(facts: Facts | null) => void} with facts of its position */
    onchange = () => {};
    /** The clocks have gone on. */
    ontick = () => {};

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.#tip = new Tip(app.session);
        this.steps.onact = (action) => {
            if (this.turn.isReady) void this.#act(action);
        };
        this.steps.onsay = (text) => app.say(text);
        this.steps.onshow = ({ zone, spots }) => app.stage.overlay('regulation', { zone, spots });
        setInterval(() => this.#tick(), TICK);
    }

    /** The last move of the game that is in the tree. */
    get tip() {
        return this.#tip.node;
    }

    set tip(node) {
        this.#tip.node = node;
    }

    /** Whether a game is going on. */
    get isOn() {
        return this.match !== null && this.match.over === null;
    }

    /** @returns {Seat} who acts */
    get seat() {
        if (this.opening && !this.opening.over) return /** @type {Seat} */ (this.opening.seat);
        return matches.seatOf(/** @type {Match} */ (this.match), this.side);
    }

    /** @returns {Color} who moves */
    get side() {
        const move = this.tip?.move ? this.tip.color : null;
        return move ? other(move) : this.app.session.game.first;
    }

    /** The number of turns so far. */
    get turns() {
        return matches.turns(/** @type {Match} */ (this.match), this.opening, this.tip?.number ?? 0);
    }

    /** Whether the last move belongs to the opening, where actions are taken back and not moves. */
    get isInOpening() {
        const { opening } = this;
        return opening !== null && (!opening.over || (this.tip?.number ?? 0) <= opening.moves.length);
    }

    /** Milliseconds that a person has used of the present turn; 0 if nobody's time runs. */
    get used() {
        const { match } = this;
        const runs = match && this.isOn && !this.isPaused && match.players[this.seat] === 'human';
        return runs ? this.turn.used : 0;
    }

    // Beginning and leaving.

    /** Begins a game. @param {Chosen} chosen */
    start(chosen) {
        const { app } = this;
        app.leave();
        this.match = matches.newMatch(chosen, Math.floor(Math.random() * 2 ** 31));
        const game = newGame(chosen.size, chosen.rule, chosen.ends);
        app.analysis.setOn(false);
        // The change of the game asks where the match goes on.
        this.tip = game.root;
        app.session.replace('new game', game);
        this.isPaused = false;
        app.say('a new game begins');
        void this.advance();
    }

    /**
     * Goes on with a game that was kept.
     * @param {Match} match
     * @param {Node} tip
     * @param {number} used milliseconds of the present turn that its player has used already
     */
    resume(match, tip, used) {
        matches.restore(match);
        this.match = match;
        this.tip = tip;
        this.isPaused = matches.isOfEngines(match);
        this.onchange(null);
        if (this.isOn) void this.advance(used);
        else if (match.regulation) void this.#recall(match);
    }

    /**
     * Asks where the opening of a game that is over has led: take back must know it.
     * @param {Match} match
     */
    async #recall(match) {
        const { turn } = this;
        try {
            const opening = await this.#openingAfter(match, match.actions);
            if (turn === this.turn) this.opening = opening;
        } catch (error) {
            this.app.complain(error);
        }
    }

    /** Ends the game without a message, because the board is needed for something else. */
    leave() {
        this.nextTurn();
        this.match = null;
        this.tip = null;
        this.opening = null;
        this.mayAgree = false;
        this.steps.ask(null);
        this.onchange(null);
    }

    /**
     * The tree has changed. After a game, undo or a deletion may have taken out its last moves, and redo may have
     * put them back. If undo has put another game on the board, the match ends.
     */
    treeChanged() {
        if (!this.match) return;
        if (!this.tip) this.leave();
        else if (this.match.over) this.onchange(null);
    }

    // Turns.

    /** Ends the present turn. */
    nextTurn() {
        this.turn.end();
        this.turn = new Turn();
        return this.turn;
    }

    /**
     * Has the player to act act; a person is asked, the engine thinks.
     * @param {number} [used] milliseconds of this turn that were used before a reload
     */
    async advance(used = 0) {
        const { match, app } = this;
        const turn = this.nextTurn();
        // Until the server has answered, the clocks must not go by the time of the turn before.
        turn.begin(used);
        if (!match || match.over) return this.onchange(null);
        try {
            if (match.regulation && !this.opening?.over && !(await this.#inOpening(match, turn, used))) return;
            if (turn !== this.turn) return;
            app.session.game.properties = matches.withNames(match, app.session.game.properties);
            const facts = await app.referee.factsOf(/** @type {Node} */ (this.tip));
            if (turn !== this.turn) return;
            if (facts.ended) return this.end(facts.ended.text, facts.ended.winner);
            this.mayAgree = facts.may_agree;
            turn.begin(used);
            if (match.players[this.seat] === 'engine' && !this.isPaused) await this.#engineMoves(match, turn);
            else {
                turn.isReady = true;
                this.onchange(facts);
            }
        } catch (error) {
            if (turn === this.turn) this.#fail(error);
        }
    }

    /** @param {unknown} error */
    #fail(error) {
        this.turn.isThinking = false;
        this.isPaused = true;
        this.steps.ask(null);
        this.app.complain(error);
        this.onchange(null);
    }

    /** @param {string} text @param {Color | null} winner */
    end(text, winner) {
        const { match, app } = this;
        if (!match) return;
        this.nextTurn();
        match.over = text;
        app.session.game.result = winner ?? 'draw';
        this.steps.ask(null);
        app.session.tell('game');
        app.say(text);
        this.onchange(null);
    }

    // The opening.

    /**
     * The state of this game's opening after these actions.
     * @param {Match} match
     * @param {string[]} actions
     * @returns {Promise<Opening>}
     */
    #openingAfter({ regulation }, actions) {
        const { connection, session } = this.app;
        const { size } = session.game;
        return connection.ask({ type: 'opening', regulation, size, actions }, 'opening');
    }

    /**
     * A step of the regulation.
     * @param {Match} match
     * @param {Turn} turn
     * @param {number} used milliseconds of this turn that were used before a reload
     * @returns {Promise<boolean>} whether the opening is over
     */
    async #inOpening(match, turn, used) {
        const opening = await this.#openingAfter(match, match.actions);
        if (turn !== this.turn) return false;
        this.opening = opening;
        match.black = /** @type {Seat} */ (opening.black);
        this.#put(opening.moves);
        this.steps.ask(null);
        if (opening.over) return true;
        turn.begin(used);
        if (match.players[this.seat] === 'human' || this.isPaused) {
            turn.isReady = true;
            if (!this.isPaused) this.steps.ask(opening);
            this.onchange(null);
            return false;
        }
        turn.isThinking = true;
        this.onchange(null);
        const clock = clocks.forEngine(match.timing, match.left[this.seat]);
        const decided = await this.decide(match, match.level, clock);
        if (turn !== this.turn) return false;
        this.app.say(`the engine: ${decided.action}`);
        await this.#act(decided.action, decided.ms);
        return false;
    }

    /**
     * The engine's action in the opening.
     * @param {Match} match
     * @param {number} level
     * @param {Clock} clock
     */
    decide({ regulation, actions, seed }, level, clock) {
        const { connection, session } = this.app;
        const { size, rule } = session.game;
        return connection.ask(
            { type: 'decide', regulation, size, rule, actions, level, clock, seed },
            'decided',
            this.turn.signal,
        );
    }

    /**
     * The stones of the opening, as far as they are not on the board yet.
     * @param {string[]} moves
     */
    #put(moves) {
        const { session } = this.app;
        let at = session.game.root;
        for (const move of moves) at = add(session.game, at, move);
        // A game that was kept may have gone on from there.
        if (!this.tip || !path(this.tip).includes(at)) {
            this.tip = at;
            session.node = at;
            session.tell('tree');
            this.app.moves.readOut(at);
        }
    }

    /**
     * Does an action of the opening.
     * @param {string} action
     * @param {number} [used] the time that it took
     */
    async #act(action, used = this.turn.used) {
        const { match, turn, app } = this;
        if (!match) return;
        const { seat } = this;
        const actions = [...match.actions, action];
        try {
            await this.#openingAfter(match, actions);
        } catch (error) {
            // The engine does not try again: its turn fails.
            if (turn.isThinking) throw error;
            app.complain(error);
            return;
        }
        if (turn !== this.turn || !this.#stopClock(used)) return;
        match.actions = actions;
        match.actors = [...match.actors, seat];
        app.saveLater();
        await this.advance();
    }

    // Moves.

    /** @param {Match} match @param {Turn} turn */
    async #engineMoves(match, turn) {
        const { app } = this;
        if (!this.tip) return;
        turn.isThinking = true;
        this.onchange(null);
        const { ends } = app.session;
        const position = app.session.positionOf(this.tip);
        const clock = clocks.forEngine(match.timing, match.left[this.seat]);
        const moved = await app.connection.ask(
            { type: 'move', position, ends, level: match.level, clock, seed: match.seed },
            'moved',
            turn.signal,
        );
        if (matches.areAlike(match)) await pace(turn);
        // A pause may have come by now. The move is not played then, and costs no time.
        if (turn !== this.turn) return;
        const color = this.side;
        if (!this.#stopClock(moved.ms)) return;
        turn.isThinking = false;
        if (moved.win_rate !== null && !moved.book) match.rate = moved.win_rate;
        this.#play(moved.move);
        if (moved.win_rate !== null && this.tip) {
            this.tip.value = valueAfter(color, moved.win_rate, moved.mate);
            app.studied();
        }
        app.say(inWords(color, moved));
        await this.advance();
    }

    /** @param {string} move */
    human(move) {
        // Until the server has answered, the move before may have ended the game.
        if (!this.turn.isReady || !this.#stopClock()) return;
        this.#play(move);
        this.app.moves.readOut(/** @type {Node} */ (this.tip));
        void this.advance();
    }

    /** @param {string} move */
    #play(move) {
        const { session } = this.app;
        const follow = session.node === this.tip;
        const seen = session.node;
        this.tip = session.play(move, /** @type {Node} */ (this.tip));
        // After a move was taken back, the line played now is the game's main line.
        if (!isMain(this.tip)) {
            promote(this.tip);
            session.tell('tree');
        }
        // If the user is looking at an earlier position, stay there.
        if (!follow) session.go(seen);
    }

    /**
     * A click on the board.
     * @param {string} point
     * @param {boolean} isOccupied
     * @returns {boolean} whether the game takes it
     */
    click(point, isOccupied) {
        const { match, opening, app } = this;
        if (!match || match.over) return false;
        if (app.session.node !== this.tip) {
            app.session.go(/** @type {Node} */ (this.tip));
            app.say('back at the game; click again to play');
            return true;
        }
        // Ignore clicks until the server has sent the state of the opening: it says who acts, and how.
        if (match.regulation && !opening) return true;
        if (this.isPaused) app.say('the game is paused');
        else if (match.players[this.seat] === 'engine') app.say('it is the engine’s turn');
        else if (isOccupied) app.say(`${point} is occupied`);
        else if (opening && !opening.over) this.steps.click(point);
        else this.human(point);
        return true;
    }

    // Clocks.

    /**
     * Takes the time of the player who has acted from the clock. The engine reports its own time, without its wait for
     * the searches of other pages.
     * @param {number} [used]
     * @returns {boolean} `false` if the time was not enough
     */
    #stopClock(used = this.turn.used) {
        const { match, seat } = this;
        if (!match) return false;
        if (matches.spend(match, seat, used, this.turns)) return true;
        this.#flag(match, seat);
        return false;
    }

    /** @param {Match} match @param {Seat} seat */
    #flag(match, seat) {
        match.left[seat] = 0;
        const winner = matches.winnerOver(match, seat);
        this.end(`${winner} wins: time is over`, winner);
    }

    /** The clocks run. */
    #tick() {
        const { match } = this;
        if (!match || match.over || this.isPaused || match.timing.kind === 'none') return;
        const { seat } = this;
        this.ontick();
        // The engine keeps its time itself; a person who is gone loses.
        if (match.left[seat] <= this.turn.used && match.players[seat] === 'human') this.#flag(match, seat);
    }
}

/**
 * Waits until two engines have taken so long for a move that a person can follow.
 * @param {Turn} turn
 */
function pace(turn) {
    return new Promise((resolve) => setTimeout(resolve, Math.max(0, PACE - turn.used)));
}
