// Games: a person or the engine on either side, clocks, opening regulations, passes, draws, resignation.

import * as clocks from './clock.js';
import { confirm } from './dialogs.js';
import { button, byId, el, replaceButtons } from './dom.js';
import { add, newGame, path, promote, property, withProperty } from './game.js';
import * as matches from './match.js';
import { NewGameForm } from './newgame.js';
import { other } from './points.js';
import { Steps } from './regulation.js';
import { Tip } from './tip.js';

/** @import { Color, Facts, Opening, Welcome } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Node } from './game.js' */
/** @import { Match, Seat } from './match.js' */
/** @import { Chosen } from './newgame.js' */

/** Least time between two moves of engines that play each other, in milliseconds. */
const PACE = 500;

export class Play {
    /** @type {Match | null} */
    match = null;
    /** @type {Tip} */
    #tip;
    /** @type {NewGameForm} */
    #form;
    /** @type {Opening | null} */
    #opening = null;
    /** Counts changes, so that an answer to an older question is not played. */
    #turn = 0;
    /** When the player to act began to think. */
    #began = 0;
    #thinking = false;
    /** Whether a person may act: the server has said that the game goes on, and what is allowed. */
    #ready = false;
    /** The turn for which a hint is looked for. @type {number | null} */
    #hinting = null;
    /** Ends the engine's work for this turn. */
    #work = new AbortController();
    #paused = false;
    /** Whether the rules of this game have draws by agreement. */
    #mayAgree = false;

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.#tip = new Tip(app.session);
        this.steps = new Steps();
        this.steps.onact = (action) => {
            if (this.#ready) void this.#act(action);
        };
        this.steps.onsay = (text) => app.say(text);
        this.steps.onshow = ({ zone, spots }) => app.overlay('regulation', { zone, spots });
        this.note = el('p', { class: 'play-note' });
        this.controls = el('div', { class: 'row wrap', tabindex: -1 });
        this.#form = new NewGameForm(app.settings, async (chosen) => {
            if (await app.mayLeave()) this.start(chosen);
        });
        byId('play').append(this.#form.element, this.note, this.steps.element, this.controls);
        setInterval(() => this.#tick(), 100);
        this.#show();
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

    /**
     * Offers the regulations that the program knows. They come with each connection.
     * @param {Welcome['regulations']} regulations
     */
    setRegulations(regulations) {
        this.#form.setRegulations(regulations);
    }

    /**
     * Begins a game.
     * @param {Chosen} chosen
     */
    start(chosen) {
        const { app } = this;
        app.leave();
        this.match = matches.newMatch(chosen, Math.floor(Math.random() * 2 ** 31));
        const game = newGame(chosen.size, chosen.rule, chosen.ends);
        app.analysis.setOn(false);
        // The change of the game asks where the match goes on.
        this.tip = game.root;
        app.session.replace('new game', game);
        this.#paused = false;
        app.files.name = 'game';
        app.say('a new game begins');
        void this.#advance();
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
        this.#paused = matches.isOfEngines(match);
        this.#show();
        if (this.isOn) void this.#advance(used);
        else if (match.regulation) void this.#recall(match);
    }

    /**
     * Asks where the opening of a game that is over has led: take back must know it.
     * @param {Match} match
     */
    async #recall({ regulation, actions }) {
        const turn = this.#turn;
        const { connection, session } = this.app;
        const { size } = session.game;
        try {
            const opening = await connection.ask({ type: 'opening', regulation, size, actions }, 'opening');
            if (turn === this.#turn) this.#opening = opening;
        } catch (error) {
            this.app.say(/** @type {Error} */ (error).message);
        }
    }

    /** Ends the game without a message, because the board is needed for something else. */
    leave() {
        this.#nextTurn();
        this.match = null;
        this.tip = null;
        this.#opening = null;
        this.#mayAgree = false;
        this.steps.ask(null);
        this.#show();
    }

    /**
     * The tree has changed. After a game, undo or a deletion may have taken out its last moves, and redo may have
     * put them back. If undo has put another game on the board, the match ends.
     */
    treeChanged() {
        if (!this.match) return;
        if (!this.tip) this.leave();
        else if (this.match.over) this.#show();
    }

    /** @returns {Seat} who acts */
    get #seat() {
        if (this.#opening && !this.#opening.over) return /** @type {Seat} */ (this.#opening.seat);
        return matches.seatOf(/** @type {Match} */ (this.match), this.#side);
    }

    /** The number of turns so far. */
    get #turns() {
        return matches.turns(/** @type {Match} */ (this.match), this.#opening, this.tip?.number ?? 0);
    }

    /** @returns {Color} */
    get #side() {
        const move = this.tip?.move ? this.tip.color : null;
        return move ? other(move) : this.app.session.game.first;
    }

    /** A question asked for an earlier turn is not waited for. */
    #nextTurn() {
        this.#work.abort();
        this.#work = new AbortController();
        this.#thinking = false;
        this.#ready = false;
        return ++this.#turn;
    }

    /**
     * Has the player to act act; a person is asked, the engine thinks.
     * @param {number} [used] milliseconds of this turn that were used before a reload
     */
    async #advance(used = 0) {
        const { match, app } = this;
        const turn = this.#nextTurn();
        // Until the server has answered, the clocks must not go by the time of the turn before.
        this.#began = performance.now() - used;
        if (!match || match.over) return this.#show();
        try {
            if (match.regulation && !this.#opening?.over && !(await this.#inOpening(turn, used))) return;
            if (turn !== this.#turn) return;
            this.#nameSides();
            const facts = await app.factsOf(/** @type {Node} */ (this.tip));
            if (turn !== this.#turn) return;
            if (facts.ended) return this.#end(facts.ended.text, facts.ended.winner);
            this.#mayAgree = facts.may_agree;
            this.#began = performance.now() - used;
            if (match.players[this.#seat] === 'engine' && !this.#paused) await this.#engineMoves(turn);
            else {
                this.#ready = true;
                this.#show(facts);
            }
        } catch (error) {
            if (turn === this.#turn) this.#fail(error);
        }
    }

    /** @param {unknown} error */
    #fail(error) {
        this.#thinking = false;
        this.#paused = true;
        this.app.say(/** @type {Error} */ (error).message);
        this.#show();
    }

    /**
     * A step of the regulation.
     * @param {number} turn
     * @param {number} used milliseconds of this turn that were used before a reload
     * @returns {Promise<boolean>} whether the opening is over
     */
    async #inOpening(turn, used) {
        const { match, app } = this;
        if (!match) return false;
        const { size, rule } = app.session.game;
        const { regulation, actions } = match;
        const opening = await app.connection.ask({ type: 'opening', regulation, size, actions }, 'opening');
        if (turn !== this.#turn) return false;
        this.#opening = opening;
        match.black = /** @type {Seat} */ (opening.black);
        this.#put(opening.moves);
        this.steps.ask(null);
        if (opening.over) return true;
        this.#began = performance.now() - used;
        if (match.players[this.#seat] === 'human' || this.#paused) {
            this.#ready = true;
            if (!this.#paused) this.steps.ask(opening);
            this.#show();
            return false;
        }
        this.#thinking = true;
        this.#show();
        const clock = clocks.forEngine(match.timing, match.left[this.#seat]);
        const decided = await app.connection.ask(
            { type: 'decide', regulation, size, rule, actions, level: match.level, clock, seed: match.seed },
            'decided',
            this.#work.signal,
        );
        if (turn !== this.#turn) return false;
        app.say(`the engine: ${decided.action}`);
        await this.#act(decided.action, decided.ms);
        return false;
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
            this.app.readOut(at);
        }
    }

    /**
     * Does an action of the opening.
     * @param {string} action
     * @param {number} [used] the time that it took
     */
    async #act(action, used = performance.now() - this.#began) {
        const { match, app } = this;
        if (!match) return;
        const turn = this.#turn;
        const seat = this.#seat;
        const actions = [...match.actions, action];
        const { size } = app.session.game;
        try {
            await app.connection.ask({ type: 'opening', regulation: match.regulation, size, actions }, 'opening');
        } catch (error) {
            app.say(/** @type {Error} */ (error).message);
            if (turn === this.#turn) this.steps.ask(this.#opening);
            return;
        }
        if (turn !== this.#turn || !this.#stopClock(used)) return;
        match.actions = actions;
        match.actors = [...match.actors, seat];
        app.saveLater();
        await this.#advance();
    }

    /** @param {number} turn */
    async #engineMoves(turn) {
        const { match, app } = this;
        if (!match || !this.tip) return;
        this.#thinking = true;
        this.#show();
        const { ends } = app.session;
        const position = app.positionOf(this.tip);
        const clock = clocks.forEngine(match.timing, match.left[this.#seat]);
        const moved = await app.connection.ask(
            { type: 'move', position, ends, level: match.level, clock, seed: match.seed },
            'moved',
            this.#work.signal,
        );
        if (matches.areAlike(match)) await this.#pace();
        // A pause may have come by now. The move is not played then, and costs no time.
        if (turn !== this.#turn) return;
        const color = this.#side;
        if (!this.#stopClock(moved.ms)) return;
        this.#thinking = false;
        if (moved.win_rate !== null && !moved.book) match.rate = moved.win_rate;
        this.#play(moved.move);
        if (moved.win_rate !== null && this.tip) {
            const black = color === 'black' ? moved.win_rate : 1 - moved.win_rate;
            const mate = moved.mate === null ? null : color === 'black' ? moved.mate : -moved.mate;
            this.tip.value = { black, mate };
        }
        app.say(`${color} ${moved.move}${moved.book ? ', from the book' : ''}`);
        await this.#advance();
    }

    /** Two engines play so that a person can follow. */
    async #pace() {
        const used = performance.now() - this.#began;
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, PACE - used)));
    }

    /** @param {string} move */
    #play(move) {
        const { session } = this.app;
        const follow = session.node === this.tip;
        const seen = session.node;
        this.tip = session.play(move, /** @type {Node} */ (this.tip));
        // After a move was taken back, the line played now is the game's main line.
        promote(this.tip);
        // If the user is looking at an earlier position, stay there.
        if (!follow) session.go(seen);
    }

    /**
     * Takes the time of the player who has acted from the clock. The engine reports its own time, without its wait for
     * the searches of other pages.
     * @param {number} [used]
     * @returns {boolean} `false` if the time was not enough
     */
    #stopClock(used = performance.now() - this.#began) {
        const { match } = this;
        if (!match) return false;
        const seat = this.#seat;
        if (matches.spend(match, seat, used, this.#turns)) return true;
        this.#flag(seat);
        return false;
    }

    /** @param {Seat} seat */
    #flag(seat) {
        const { match } = this;
        if (!match) return;
        match.left[seat] = 0;
        const winner = matches.winnerOver(match, seat);
        this.#end(`${winner} wins: time is over`, winner);
    }

    /**
     * A click on the board.
     * @param {string} point
     * @param {boolean} occupied
     * @returns {boolean} whether the game takes it
     */
    click(point, occupied) {
        const { match, app } = this;
        if (!match || match.over) return false;
        if (app.session.node !== this.tip) {
            app.session.go(/** @type {Node} */ (this.tip));
            app.say('back at the game; click again to play');
            return true;
        }
        // Ignore clicks until the server has sent the state of the opening: it says who acts, and how.
        if (match.regulation && !this.#opening) return true;
        if (this.#paused) app.say('the game is paused');
        else if (match.players[this.#seat] === 'engine') app.say('it is the engine’s turn');
        else if (occupied) app.say(`${point} is occupied`);
        else if (this.#opening && !this.#opening.over) this.steps.click(point);
        else this.#human(point);
        return true;
    }

    /** @param {string} move */
    #human(move) {
        // Until the server has answered, the move before may have ended the game.
        if (!this.#ready || !this.#stopClock()) return;
        this.#play(move);
        this.app.readOut(/** @type {Node} */ (this.tip));
        void this.#advance();
    }

    /** Milliseconds that a person has used of the present turn; 0 if nobody's time runs. */
    get used() {
        const { match } = this;
        const runs = match && this.isOn && !this.#paused && match.players[this.#seat] === 'human';
        return runs ? performance.now() - this.#began : 0;
    }

    #show(facts = /** @type {Facts | null} */ (null)) {
        this.app.players();
        // While the page is being made there is no panel yet.
        this.app.gamePanel?.lock(this.isOn);
        this.note.textContent = this.#state();
        const controls = this.#actions(facts);
        // Buttons that stay the same are kept: who is about to press one must not lose it.
        const key = JSON.stringify(controls.map(([text, , enabled]) => [text, enabled]));
        if (this.controls.dataset.key === key) return;
        this.controls.dataset.key = key;
        const made = controls.map(([text, act, enabled]) => button(text, act, { disabled: !enabled }));
        replaceButtons(this.controls, made);
    }

    /** How the game stands, in a sentence. */
    #state() {
        const { match } = this;
        if (!match) return '';
        if (match.over) return `The game is over: ${match.over}.`;
        if (this.#thinking) return 'The engine thinks…';
        if (this.#paused) return 'The game is paused.';
        const seat = this.#seat;
        return match.players[seat] === 'engine' ? 'The engine is to move.' : matches.turnText(match, seat);
    }

    /**
     * Lists the possible actions: texts, functions, and whether each is allowed now.
     * @param {Facts | null} facts
     * @returns {[string, () => void, boolean][]}
     */
    #actions(facts) {
        const { match } = this;
        if (!match) return [];
        const begun = Boolean(this.tip?.parent);
        if (match.over) {
            return [
                ['Take back', () => this.takeBack(), begun],
                ['Annotate', () => this.app.show('game'), true],
            ];
        }
        const human = match.players[this.#seat] === 'human' && !this.#thinking;
        const engines = matches.isOfEngines(match);
        /** @type {[string, () => void, boolean][]} */
        const actions = [];
        if (engines || this.#paused) {
            actions.push([this.#paused ? 'Go on' : 'Pause', () => this.pause(!this.#paused), true]);
        }
        if (engines) return actions;
        const undoable = this.#isInOpening ? matches.mayTakeBackAction(match) : begun;
        actions.push(['Take back', () => this.takeBack(), undoable]);
        actions.push(['Hint', () => void this.hint(), human]);
        if (facts?.may_pass && human) actions.push(['Pass', () => this.#human('pass'), true]);
        const opened = !match.regulation || this.#opening?.over;
        if (this.#mayAgree && opened) {
            actions.push(['Offer a draw', () => void this.offerDraw(), human && begun]);
        }
        actions.push(['Resign', () => void this.resign(), human]);
        return actions;
    }

    /** @param {boolean} paused */
    pause(paused) {
        this.#paused = paused;
        if (this.#thinking) this.#nextTurn();
        if (paused) this.#show();
        else void this.#advance();
    }

    /** Goes back to the last decision of a person; the moves stay as a variation. */
    takeBack() {
        const { match, app } = this;
        if (!match || !this.tip || (match.regulation && !this.#opening)) return;
        this.#nextTurn();
        match.over = null;
        match.rate = null;
        app.session.game.result = null;
        if (this.#isInOpening) this.#unact(match);
        else {
            const back = () => (this.tip = this.tip?.parent ?? this.tip);
            back();
            if (!matches.areAlike(match) && match.players[matches.seatOf(match, this.#side)] === 'engine') {
                if (this.#isInOpening) this.#unact(match);
                else back();
            }
        }
        matches.restoreClocks(match, this.#turns);
        app.session.go(/** @type {Node} */ (this.tip));
        void this.#advance();
    }

    /** Whether the last move belongs to the opening, where actions are taken back and not moves. */
    get #isInOpening() {
        const opening = this.#opening;
        return opening !== null && (!opening.over || (this.tip?.number ?? 0) <= opening.moves.length);
    }

    /**
     * Takes back the last action of a person in the opening, and those of the engine after it. The program then says
     * where the opening stands.
     * @param {Match} match
     */
    #unact(match) {
        matches.takeBackAction(match);
        this.tip = this.app.session.game.root;
        this.#opening = null;
    }

    async hint() {
        const { match, app } = this;
        const turn = this.#turn;
        if (!match || this.#thinking || this.#hinting === turn) return;
        this.#hinting = turn;
        try {
            if (this.#opening && !this.#opening.over) {
                const { size, rule } = app.session.game;
                const { regulation, actions } = match;
                const clock = /** @type {const} */ ({ type: 'move', ms: 3000 });
                const decided = await app.connection.ask(
                    { type: 'decide', regulation, size, rule, actions, level: 100, clock, seed: match.seed },
                    'decided',
                    this.#work.signal,
                );
                app.say(`hint: ${decided.action}`);
            } else await app.hint();
        } catch (error) {
            if (turn === this.#turn) app.say(/** @type {Error} */ (error).message);
        } finally {
            if (this.#hinting === turn) this.#hinting = null;
        }
    }

    async offerDraw() {
        const { match, app } = this;
        if (!match || !this.tip) return;
        const turn = this.#turn;
        let accepted;
        if (match.players[matches.opposite(this.#seat)] === 'human') {
            accepted = await confirm('A draw is offered', 'Does the opponent agree?', 'Agree', 'Refuse');
        } else {
            const position = app.positionOf(this.tip);
            const { ends } = app.session;
            try {
                const question = /** @type {const} */ ({ type: 'offer_draw', position, ends, win_rate: match.rate });
                ({ accepted } = await app.connection.ask(question, 'draw', this.#work.signal));
            } catch (error) {
                if (turn === this.#turn) app.say(/** @type {Error} */ (error).message);
                return;
            }
        }
        // A move, the clock or another game has come before the answer.
        if (turn !== this.#turn) return;
        if (accepted) this.#end('draw by agreement', null);
        else app.say('the draw is refused');
    }

    async resign() {
        const { match } = this;
        if (!match) return;
        const turn = this.#turn;
        const resigns = await confirm('Resign', 'Give the game up?', 'Resign');
        // The clock may have ended the game while the question was open.
        if (!resigns || turn !== this.#turn) return;
        const winner = matches.winnerOver(match, this.#seat);
        this.#end(`${winner} wins: ${other(winner)} resigns`, winner);
    }

    /**
     * @param {string} text
     * @param {Color | null} winner
     */
    #end(text, winner) {
        const { match, app } = this;
        if (!match) return;
        this.#nextTurn();
        match.over = text;
        app.session.game.result = winner ?? 'draw';
        this.steps.ask(null);
        app.session.tell('game');
        app.say(text);
        this.#show();
    }

    /** Writes the players' names into the game, once their colours are known. */
    #nameSides() {
        const { match, app } = this;
        if (!match) return;
        const { game } = app.session;
        for (const [key, color] of /** @type {[string, Color][]} */ ([
            ['PB', 'black'],
            ['PW', 'white'],
        ])) {
            const player = match.players[matches.seatOf(match, color)];
            const name = player === 'engine' ? `kagetsu level ${match.level}` : '';
            const known = property(game, key);
            if (!known || known.startsWith('kagetsu level')) game.properties = withProperty(game.properties, key, name);
        }
    }

    /** The clocks run. */
    #tick() {
        const { match } = this;
        if (!match || match.over || this.#paused || match.timing.kind === 'none') return;
        const left = match.left[this.#seat] - (performance.now() - this.#began);
        this.app.players();
        // The engine keeps its time itself; a person who is gone loses.
        if (left <= 0 && match.players[this.#seat] === 'human') this.#flag(this.#seat);
    }

    /**
     * The name and the clock of a colour, for the board.
     * @param {Color} color
     */
    side(color) {
        const { match } = this;
        const name = property(this.app.session.game, color === 'black' ? 'PB' : 'PW');
        if (!match) return { name, clock: '', active: false };
        const seat = matches.seatOf(match, color);
        const active = !match.over && this.#seat === seat;
        const used = active && !this.#paused ? performance.now() - this.#began : 0;
        const shown = clocks.format(match.timing.kind === 'none' ? Infinity : match.left[seat] - used);
        const player = matches.areAlike(match) ? '' : match.players[seat] === 'human' ? 'You' : '';
        return { name: name || player, clock: shown, active };
    }

    /** Asks how to play; the dialog of the button New. */
    async offer() {
        if (!(await this.app.mayLeave())) return;
        if (this.tip?.parent && this.isOn) this.leave();
        this.app.show('play');
        byId('start').focus();
    }
}
