// Games: a person or the engine on either side, clocks, opening regulations, passes, draws, resignation.

import * as clocks from './clock.js';
import { confirm } from './dialogs.js';
import { button, byId, el, field, select } from './dom.js';
import { add, newGame, path, promote, property, withProperty } from './game.js';
import { RULES } from './link.js';
import { other } from './points.js';
import { Steps } from './regulation.js';
import { Tip } from './tip.js';

/** @import { Color, Ends, Facts, Opening, Rule } from './schema.js' */
/** @import { Timing } from './clock.js' */
/** @import { App } from './app.js' */
/** @import { Node } from './game.js' */

/** @typedef {1 | 2} Seat the player who began as Black, and the other */
/** @typedef {'human' | 'engine'} Player */

/**
 * A game in progress, in the form in which it is stored.
 * @typedef {object} Match
 * @property {Record<Seat, Player>} players
 * @property {number} level
 * @property {Timing} timing
 * @property {Record<Seat, number>} left milliseconds of each player
 * @property {(Record<Seat, number> | null)[]} before the same before each turn so far, for take back
 * @property {string} regulation empty for none
 * @property {string[]} actions what was done in the opening
 * @property {Seat[]} actors who did each of these
 * @property {Seat} black who holds Black
 * @property {string | null} over how it ended
 * @property {number} seed
 * @property {number | null} rate the engine's expected share of the points by the search of its last move
 */

/** @type {[string, string][]} */
const PLAYERS = [
    ['human engine', 'You, then the engine'],
    ['engine human', 'The engine, then you'],
    ['human human', 'Two people at this board'],
    ['engine engine', 'Engine against engine'],
];

/** @type {[string, string, Timing][]} */
const TIMINGS = [
    ['none', 'no clocks', { kind: 'none' }],
    ['m10', '10 s a move', { kind: 'move', ms: 10_000 }],
    ['m30', '30 s a move', { kind: 'move', ms: 30_000 }],
    ['g3', '3 min + 2 s', { kind: 'game', ms: 180_000, increment: 2000 }],
    ['g10', '10 min + 5 s', { kind: 'game', ms: 600_000, increment: 5000 }],
    ['g30', '30 min', { kind: 'game', ms: 1_800_000, increment: 0 }],
];

/** Least time between two moves of engines that play each other, in milliseconds. */
const PACE = 500;

export class Play {
    /** @type {Match | null} */
    match = null;
    /** @type {Tip} */
    #tip;
    /** @type {Opening | null} */
    #opening = null;
    /** Counts changes, so that an answer to an older question is not played. */
    #turn = 0;
    /** When the player to act began to think. */
    #began = 0;
    #thinking = false;
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
        this.steps.onact = (action) => void this.#act(action);
        this.steps.onsay = (text) => app.say(text);
        this.steps.onshow = ({ zone, spots }) => app.overlay('regulation', { zone, spots });
        this.note = el('p', { class: 'play-note' });
        this.controls = el('div', { class: 'row wrap' });
        byId('play').append(this.#form(), this.note, this.steps.element, this.controls);
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

    #form() {
        const { settings } = this.app;
        const players = select(PLAYERS, settings.get('players', 'human engine'));
        const rules = RULES.map((rule) => /** @type {[string, string]} */ ([rule, rule]));
        const rule = select(rules, settings.get('rule', 'renju'), () => this.#fill(regulation, rule.value));
        const size = el('input', { type: 'number', min: 5, max: 22, value: settings.get('size', '15') });
        const level = el('input', { type: 'range', min: 0, max: 100, step: 5, value: settings.get('level', '60') });
        const shown = el('output', {}, level.value);
        level.addEventListener('input', () => (shown.textContent = level.value));
        const timing = select(
            TIMINGS.map(([key, text]) => [key, text]),
            settings.get('timing', 'none'),
        );
        const regulation = select([['', 'none']], '');
        /** @type {[string, string][]} */
        const sets = [
            ['plain', 'plain'],
            ['rif', 'Renju federation'],
            ['gomocup', 'Gomocup'],
        ];
        const ends = select(sets, settings.get('ends', 'plain'));
        this.#fill(regulation, rule.value);
        this.refill = () => this.#fill(regulation, rule.value);
        const about = el('p', { class: 'hint' });
        regulation.addEventListener('change', () => {
            const known = this.app.welcome?.regulations.find(({ name }) => name === regulation.value);
            about.textContent = known?.about ?? '';
        });
        const start = async () => {
            const chosen = {
                players: players.value,
                rule: rule.value,
                size: size.value,
                level: level.value,
                timing: timing.value,
                ends: ends.value,
            };
            for (const [key, value] of Object.entries(chosen)) settings.set(key, value);
            const side = Math.max(5, Math.min(22, Math.round(Number(size.value)) || 15));
            const how = { ...chosen, size: side, regulation: regulation.value };
            if (await this.app.mayLeave()) this.start(how);
        };
        return el(
            'div',
            { class: 'form' },
            field('Players', players),
            field('Rule', rule),
            field('Board', size),
            field('Strength', el('span', { class: 'row' }, level, shown)),
            field('Clock', timing),
            field('Opening', regulation),
            field('Draws and passes', ends),
            about,
            button('New game', () => void start(), { class: 'primary', id: 'start' }),
        );
    }

    /**
     * Offers the regulations of a rule.
     * @param {HTMLSelectElement} list
     * @param {string} rule
     */
    #fill(list, rule) {
        const known = this.app.welcome?.regulations ?? [];
        const renju = rule === 'renju';
        const fitting = known.filter((regulation) => renju || !regulation.renju || regulation.name === 'plain');
        list.replaceChildren(
            el('option', { value: '' }, 'free'),
            ...fitting.map(({ name, title }) => el('option', { value: name }, title)),
        );
    }

    /**
     * @param {{ players: string, rule: string, size: number, level: string, timing: string, ends: string,
     *     regulation: string }} chosen
     */
    start(chosen) {
        const { app } = this;
        app.leave();
        const [first, second] = /** @type {Player[]} */ (chosen.players.split(' '));
        const timing = TIMINGS.find(([key]) => key === chosen.timing)?.[2] ?? { kind: 'none' };
        const left = clocks.timeAtStart(timing);
        this.match = {
            players: { 1: first, 2: second },
            level: Number(chosen.level),
            timing,
            left: { 1: left, 2: left },
            before: [],
            regulation: chosen.regulation,
            actions: [],
            actors: [],
            black: 1,
            over: null,
            seed: Math.floor(Math.random() * 2 ** 31),
            rate: null,
        };
        const { rule, ends } = /** @type {{ rule: Rule, ends: Ends }} */ (chosen);
        const game = newGame(chosen.size, rule, ends);
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
     */
    resume(match, tip) {
        // JSON has no infinity: a game without clocks comes back with null.
        const left = clocks.timeAtStart(match.timing);
        if (match.timing.kind === 'none') match.left = { 1: left, 2: left };
        // A game that an earlier version kept does not say who acted: every action then counts as a person's.
        const person = /** @type {Seat} */ (match.players[1] === 'human' ? 1 : 2);
        match.actors ??= match.actions.map(() => person);
        match.rate ??= null;
        match.before ??= [];
        this.match = match;
        this.tip = tip;
        this.#paused = match.players[1] === 'engine' && match.players[2] === 'engine';
        this.#show();
        if (this.isOn) void this.#advance();
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
        return this.#seatOf(this.#side);
    }

    /** The turns so far: actions of the opening and moves after it. */
    get #turns() {
        const { regulation, actions } = /** @type {Match} */ (this.match);
        const moves = this.tip?.number ?? 0;
        if (!regulation) return moves;
        return actions.length + (this.#opening?.over ? moves - this.#opening.moves.length : 0);
    }

    /** @returns {Color} */
    get #side() {
        const move = this.tip?.move ? this.tip.color : null;
        return move ? other(move) : this.app.session.game.first;
    }

    /**
     * @param {Color} color
     * @returns {Seat}
     */
    #seatOf(color) {
        const { black } = /** @type {Match} */ (this.match);
        return color === 'black' ? black : black === 1 ? 2 : 1;
    }

    /** @param {Seat} seat */
    #name(seat) {
        const { players } = /** @type {Match} */ (this.match);
        if (players[1] === players[2]) return seat === 1 ? 'the first player' : 'the second player';
        return players[seat] === 'human' ? 'you' : 'the engine';
    }

    /** A question asked for an earlier turn is not waited for. */
    #nextTurn() {
        this.#work.abort();
        this.#work = new AbortController();
        this.#thinking = false;
        return ++this.#turn;
    }

    /** Has the player to act act; a person is asked, the engine thinks. */
    async #advance() {
        const { match, app } = this;
        const turn = this.#nextTurn();
        // Until the server has answered, the clocks must not go by the time of the turn before.
        this.#began = performance.now();
        if (!match || match.over) return this.#show();
        try {
            if (match.regulation && !this.#opening?.over && !(await this.#inOpening(turn))) return;
            if (turn !== this.#turn) return;
            this.#nameSides();
            const facts = await app.factsOf(/** @type {Node} */ (this.tip));
            if (turn !== this.#turn) return;
            if (facts.ended) return this.#end(facts.ended.text, facts.ended.winner);
            this.#mayAgree = facts.may_agree;
            this.#began = performance.now();
            if (match.players[this.#seat] === 'engine' && !this.#paused) await this.#engineMoves(turn);
            else this.#show(facts);
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
     * @returns {Promise<boolean>} whether the opening is over
     */
    async #inOpening(turn) {
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
        this.#began = performance.now();
        if (match.players[this.#seat] === 'human' || this.#paused) {
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
        if (turn !== this.#turn) return;
        const color = this.#side;
        if (!this.#stopClock(moved.ms)) return;
        if (match.players[1] === match.players[2]) await this.#pace();
        if (turn !== this.#turn) return;
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
        // Who looks at an earlier position goes on looking.
        if (!follow) session.go(seen);
    }

    /**
     * Takes the time of the player who has acted from the clock. The engine says what it used: that it served other
     * pages first is not its own time.
     * @param {number} [used]
     * @returns {boolean} `false` if the time was not enough
     */
    #stopClock(used = performance.now() - this.#began) {
        const { match } = this;
        if (!match) return false;
        const seat = this.#seat;
        const left = clocks.after(match.timing, match.left[seat], used);
        if (left <= 0) {
            this.#flag(seat);
            return false;
        }
        const turns = this.#turns;
        match.before.length = turns;
        match.before.push(match.left);
        match.left = { ...match.left, [seat]: left };
        return true;
    }

    /** Sets the clocks as they were before the turn that comes now, after moves were taken back. */
    #restoreClocks() {
        const { match } = this;
        if (!match || match.timing.kind === 'none') return;
        const start = clocks.timeAtStart(match.timing);
        // A game that an earlier version kept does not say it.
        const before = match.before[this.#turns] ?? { 1: start, 2: start };
        match.left = { ...before };
    }

    /** @param {Seat} seat */
    #flag(seat) {
        const { match } = this;
        if (!match) return;
        match.left[seat] = 0;
        const winner = this.#seatOf('black') === seat ? 'white' : 'black';
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
        // Who acts, and how, is known with the state of the opening.
        if (match.regulation && !this.#opening) return true;
        if (this.#paused) app.say('the game is paused');
        else if (match.players[this.#seat] === 'engine') app.say('it is the engine’s turn');
        else if (this.#opening && !this.#opening.over) this.steps.click(point, occupied);
        else if (!occupied) this.#human(point);
        return true;
    }

    /** @param {string} move */
    #human(move) {
        if (!this.#stopClock()) return;
        this.#play(move);
        void this.#advance();
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
        this.controls.replaceChildren(...made);
    }

    /** How the game stands, in a sentence. */
    #state() {
        const { match } = this;
        if (!match) return '';
        if (match.over) return `The game is over: ${match.over}.`;
        if (this.#thinking) return 'The engine thinks…';
        if (this.#paused) return 'The game is paused.';
        const seat = this.#seat;
        if (match.players[seat] === 'engine') return 'The engine is to move.';
        const who = this.#name(seat);
        return `It is ${who === 'you' ? 'your' : `${who}’s`} turn.`;
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
        const engines = match.players[1] === 'engine' && match.players[2] === 'engine';
        /** @type {[string, () => void, boolean][]} */
        const actions = [];
        if (engines || this.#paused) {
            actions.push([this.#paused ? 'Go on' : 'Pause', () => this.pause(!this.#paused), true]);
        }
        if (engines) return actions;
        const solo = match.players[1] === match.players[2];
        const acted = match.actors.some((seat) => solo || match.players[seat] === 'human');
        actions.push(['Take back', () => this.takeBack(), this.#isInOpening ? acted : begun]);
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
        const solo = match.players[1] === match.players[2];
        if (this.#isInOpening) this.#unact(solo);
        else {
            const back = () => (this.tip = this.tip?.parent ?? this.tip);
            back();
            if (!solo && match.players[this.#seatOf(this.#side)] === 'engine') {
                if (this.#isInOpening) this.#unact(solo);
                else back();
            }
        }
        this.#restoreClocks();
        app.session.go(/** @type {Node} */ (this.tip));
        void this.#advance();
    }

    /** Whether the last move belongs to the opening, where actions are taken back and not moves. */
    get #isInOpening() {
        const opening = this.#opening;
        return opening !== null && (!opening.over || (this.tip?.number ?? 0) <= opening.moves.length);
    }

    /**
     * Takes back the last action of a person in the opening, and those of the engine after it.
     * @param {boolean} solo whether both sides are people, or both the engine
     */
    #unact(solo) {
        const { match } = this;
        if (!match) return;
        const last = match.actors.findLastIndex((seat) => solo || match.players[seat] === 'human');
        if (last >= 0) {
            match.actions = match.actions.slice(0, last);
            match.actors = match.actors.slice(0, last);
        }
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
        const seat = this.#seat;
        const opponent = seat === 1 ? 2 : 1;
        let accepted;
        if (match.players[opponent] === 'human') {
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
        const turn = this.#turn;
        const resigns = await confirm('Resign', 'Give the game up?', 'Resign');
        // The clock may have ended the game while the question was open.
        if (!resigns || turn !== this.#turn) return;
        const winner = this.#seatOf('black') === this.#seat ? 'white' : 'black';
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
            const player = match.players[this.#seatOf(color)];
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
        const seat = this.#seatOf(color);
        const active = !match.over && this.#seat === seat;
        const used = active && !this.#paused ? performance.now() - this.#began : 0;
        const shown = clocks.format(match.timing.kind === 'none' ? Infinity : match.left[seat] - used);
        const player = match.players[1] === match.players[2] ? '' : match.players[seat] === 'human' ? 'You' : '';
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
