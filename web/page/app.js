// The page: the board, the panels beside it, and their events.

import { Analysis, ghosts } from './analysis.js';
import { Board } from './board.js';
import { Connection } from './connection.js';
import { Controls, PANELS } from './controls.js';
import { ask, confirm } from './dialogs.js';
import { announce, byId, el, set } from './dom.js';
import { Explainer } from './explain.js';
import { Files } from './files.js';
import * as trees from './game.js';
import { hashOf, isSame, parseHash } from './link.js';
import { Openings } from './openings.js';
import { GamePanel } from './panel.js';
import { Play } from './play.js';
import { other } from './points.js';
import { Puzzles } from './puzzles.js';
import { Session } from './session.js';
import { Settings } from './settings.js';
import { pack, Store, unpack } from './store.js';

/** @import { Color, Facts, Figure, Loaded, Position, Puzzle, Rule, Welcome } from './schema.js' */
/** @import { Node } from './game.js' */
/** @import { Link } from './link.js' */
/** @import { View } from './board.js' */
/** @import { Match } from './match.js' */
/** @import { What } from './session.js' */

/** @typedef {Pick<View, 'heat' | 'spots' | 'zone'>} Overlay What a panel adds to the board */

/**
 * A match or a puzzle that goes on.
 * @typedef {object} Ongoing
 * @property {Match | null} match
 * @property {number} used milliseconds of the present turn that its player has used
 * @property {Puzzle | null} puzzle
 * @property {boolean} isSolved whether the puzzle is
 * @property {Node | null} tip where it goes on
 */

/**
 * What is kept beside the game: what goes on, with its tip as a number among the nodes, the start of the program whose
 * file was shown, and the address that the page wrote itself.
 * @typedef {Omit<Ongoing, 'tip'> & { tip: number, opened: string, linked: Link | null }} Extra
 */

/** Time of the engine for a move that is asked for by the space bar, and for a hint, in milliseconds. */
const MOVE_TIME = 3000;
const HINT_TIME = 2000;

export class App {
    settings = new Settings();
    session = new Session(trees.newGame(15, 'renju'));
    /** @type {Facts | null} */
    facts = null;
    /** @type {WeakMap<Node, { key: string, facts: Facts }>} */
    #known = new WeakMap();
    /** @type {Welcome | null} */
    welcome = null;
    /** @type {Map<string, Partial<Overlay>>} */
    #overlays = new Map();
    #asking = false;
    /** Counts changes of the game other than moves through it: after one, an answer about a node is out of date. */
    #changes = 0;
    #drawing = false;
    /**
     * The move or the hint that the engine looks for in the position on the board.
     * @type {{ what: 'move' | 'hint', node: Node, work: AbortController } | null}
     */
    #wanted = null;
    panel = 'analysis';

    constructor() {
        const token = new URLSearchParams(location.search).get('token');
        this.connection = new Connection(`ws://${location.host}/socket${token ? `?token=${token}` : ''}`);
        this.numbers = this.settings.get('numbers', 'on') === 'on';
        this.board = new Board(byId('board'));
        this.explainer = new Explainer(this);
        this.files = new Files(this);
        this.table = new Play(this);
        this.analysis = new Analysis(this);
        this.gamePanel = new GamePanel(this);
        this.openings = new Openings(this);
        this.puzzles = new Puzzles(this);
        this.store = new Store(
            () => pack(this.session, this.#extra(), Date.now()),
            (error) => this.say(error),
        );
        this.store.oncopy = () => {
            this.#kept = null;
            this.leave();
        };
        this.session.watch((what) => this.#changed(what));
        this.board.onplay = (point) => this.#click(point);
        this.board.onask = (point) => void this.explainer.show(point);
        this.board.onsay = (text) => (byId('spoken').textContent = text);
        this.connection.onstate = (connected) => this.#connected(connected);
        this.connection.onwelcome = (welcome) => this.#welcome(welcome);
        this.controls = new Controls(this);
        addEventListener('hashchange', () => this.#addressChanged());
        this.#restore();
        this.show(this.settings.get('panel', 'analysis'));
        this.connection.connect();
        if (token) this.#hideToken();
    }

    /** The address bar shows the position, not the key: the browser has it as a cookie now. */
    #hideToken() {
        history.replaceState(null, '', `${location.pathname}${location.hash}`);
    }

    /** @param {string} text */
    say(text) {
        announce(text);
    }

    // What is kept, and comes back.

    /** @returns {Extra} */
    #extra() {
        const { tip, ...kept } = this.#kept ?? this.#ongoing;
        const place = tip ? trees.walk(this.session.game.root).indexOf(tip) : -1;
        return { ...kept, tip: place, opened: this.welcome?.start ?? this.#opened, linked: this.#linked };
    }

    /** @returns {Ongoing} */
    get #ongoing() {
        const { match, used } = this.table;
        const { puzzle, isSolved } = this.puzzles;
        return { match, used, puzzle, isSolved, tip: puzzle ? this.puzzles.tip : this.table.tip };
    }

    #opened = '';

    #restore() {
        const kept = this.store.load();
        if (!kept) {
            this.#changed('game');
            return;
        }
        const { game, node, nodes } = unpack(kept);
        this.session.game = game;
        this.session.node = node;
        // An earlier version kept less.
        const extra = /** @type {Partial<Extra>} */ (kept.extra ?? {});
        this.#opened = extra.opened ?? '';
        // A game of another tab goes on there, and the address of a new tab is what its user wants to see.
        if (!this.store.isNew) {
            this.#linked = extra.linked ?? null;
            this.#kept = ongoing(extra, nodes);
        }
        this.#changed('game');
    }

    /** What goes on as soon as the program answers. @type {Ongoing | null} */
    #kept = null;

    /** @param {Welcome} welcome */
    #welcome(welcome) {
        const again = this.welcome !== null;
        this.welcome = welcome;
        this.table.setRegulations(welcome.regulations);
        byId('program').textContent = `kagetsu ${welcome.program}`;
        if (!again) void this.#begin(welcome);
        this.#refresh();
        this.analysis.restart();
        this.openings.setVisible(this.panel === 'openings');
        if (this.panel === 'puzzles') void this.puzzles.show();
    }

    /**
     * Chooses the first game to show. A new tab shows the file given to the program, the position of the address, or
     * the game that was kept. A tab with a game of its own goes on with it, and asks before something else takes its
     * place.
     * @param {Welcome} welcome
     */
    async #begin(welcome) {
        const link = parseHash(location.hash);
        // Ignore an address that the page wrote itself: the game may have gone on since.
        const isAsked = link && !isSame(link, this.#linked);
        const opened = this.#opened === welcome.start ? null : welcome.opened;
        if (this.#kept) this.#goOn(this.#kept);
        this.#kept = null;
        if (opened && this.store.isNew) this.files.show(opened);
        else if (isAsked && !(await this.#isShown(link))) await this.openText(link.text, link.rule, link.size, false);
        else if (opened) await this.#offer(opened);
        this.store.later();
    }

    /**
     * Offers the file given to the program in a tab that has a game of its own.
     * @param {Loaded} opened
     */
    async #offer(opened) {
        const text = `The program was started with ${opened.name}. The game of this tab stays in the undo list.`;
        if (await confirm('Open the file', text, 'Open it', 'Keep this game')) this.files.show(opened);
    }

    /**
     * Goes on with a match or a puzzle that was kept, if its last move is still in the tree.
     * @param {Ongoing} kept
     */
    #goOn({ match, used, puzzle, isSolved, tip }) {
        if (!tip || trees.lastKept(this.session.game, tip) !== tip) return;
        if (match) this.table.resume(match, tip, used);
        else if (puzzle) this.puzzles.resume(puzzle, tip, isSolved);
    }

    /**
     * Whether the kept game stands where the address says.
     * @param {Link} link
     */
    async #isShown(link) {
        const { game, node } = this.session;
        const facts = await this.factsOf(node).catch(() => null);
        return facts !== null && isSame(link, { text: facts.text, rule: game.rule, size: game.size });
    }

    /** @param {boolean} connected */
    #connected(connected) {
        document.body.classList.toggle('offline', !connected);
        byId('connection').textContent = connected
            ? ''
            : 'The program does not answer. The game is kept. If it was restarted, open the address that it printed.';
    }

    // Positions and their facts.

    /** @param {Node} node */
    positionOf(node) {
        return node === this.session.node ? this.session.position : trees.positionAt(this.session.game, node);
    }

    /**
     * Asks for the facts that the rules give about a position.
     * @param {Node} node
     * @returns {Promise<Facts>}
     */
    async factsOf(node) {
        const { ends, game } = this.session;
        const key = `${game.rule} ${ends} ${node.notes.length} ${node.id}`;
        // A change of the game makes another map: an answer that comes after it is not kept.
        const known = this.#known;
        const found = known.get(node);
        if (found?.key === key) return found.facts;
        const position = this.positionOf(node);
        const facts = await this.connection.ask({ type: 'facts', position, ends }, 'facts');
        known.set(node, { key, facts });
        return facts;
    }

    /** Asks for the facts of the current position. When several are passed quickly, it asks for the last one only. */
    async #refresh() {
        if (this.#asking || !this.connection.isOpen) return;
        this.#asking = true;
        try {
            let node, changes, facts;
            do {
                node = this.session.node;
                changes = this.#changes;
                facts = await this.factsOf(node);
            } while (node !== this.session.node || changes !== this.#changes);
            this.facts = facts;
            this.#link(facts);
        } catch (error) {
            this.say(/** @type {Error} */ (error).message);
        } finally {
            this.#asking = false;
        }
        this.draw();
    }

    /** The position that the page has written into the address. @type {Link | null} */
    #linked = null;

    /** @param {Facts} facts */
    #link(facts) {
        const { rule, size } = this.session.game;
        this.#linked = { text: facts.text, rule, size };
        const hash = hashOf(facts.text, rule, size);
        if (hash !== location.hash) history.replaceState(history.state, '', hash);
    }

    /** Shows the position of the address after the address has changed, unless it is on the board already. */
    #addressChanged() {
        const link = parseHash(location.hash);
        if (link && !isSame(link, this.#linked)) void this.openText(link.text, link.rule, link.size, true);
    }

    /**
     * Shows a position in any notation.
     * @param {string} text
     * @param {Rule} rule
     * @param {number} size
     * @param {boolean} complain
     */
    async openText(text, rule, size, complain) {
        try {
            const { position } = await this.connection.ask({ type: 'parse', text, size, rule }, 'position');
            const { game, last } = trees.gameOf(position);
            if (!(await this.mayLeave())) {
                if (this.facts) this.#link(this.facts);
                return;
            }
            this.leave();
            this.session.replace('position', game, last);
        } catch (error) {
            this.say(
                complain
                    ? /** @type {Error} */ (error).message
                    : `the address holds no position: ${/** @type {Error} */ (error).message}`,
            );
        }
    }

    // Changes.

    /** @param {What} what */
    #changed(what) {
        if (what !== 'move') {
            this.#changes++;
            this.#known = new WeakMap();
            this.table.treeChanged();
            this.puzzles.treeChanged();
        }
        // A search for a move or a hint is of one position: another position on the board ends it.
        if (what === 'game' || this.#wanted?.node !== this.session.node) this.#dismiss();
        this.facts = this.#known.get(this.session.node)?.facts ?? null;
        this.explainer.close();
        this.board.endHint();
        this.draw();
        this.gamePanel.changed(what);
        this.controls.update();
        if (what === 'game') {
            this.analysis.proof.close();
            this.analysis.restart();
        } else this.analysis.moved();
        void this.openings.moved();
        this.store.later();
        void this.#refresh();
    }

    saveLater() {
        this.store.later();
    }

    /** The engine has sent something new about the current position. */
    studied() {
        this.gamePanel.valued();
        this.#balance();
    }

    /**
     * Asks whether a game that is going on may be left, before something else takes the board.
     * @returns {Promise<boolean>} also `true` if there is none, or none that has a move
     */
    async mayLeave() {
        if (!this.table.isOn || !this.table.tip?.parent) return true;
        const text = el('p', {}, 'A game is going on. It stays in the undo list.');
        return (await ask('Leave the game', [text], [['Leave it', () => true]])) === true;
    }

    /** Leaves a game or a puzzle that has the board. */
    leave() {
        this.table.leave();
        this.puzzles.leave();
    }

    // The board.

    /**
     * @param {string} name
     * @param {Partial<Overlay>} overlay
     */
    overlay(name, overlay) {
        this.#overlays.set(name, overlay);
        this.draw();
    }

    /** Draws the board with the next picture of the screen, once for many changes. */
    draw() {
        if (this.#drawing) return;
        this.#drawing = true;
        requestAnimationFrame(() => {
            this.#drawing = false;
            this.#draw();
        });
    }

    #draw() {
        const { session, facts } = this;
        const { position, node } = session;
        const overlays = [...this.#overlays.values()];
        const side = facts && !facts.ended ? facts.side : null;
        const zone = overlays.flatMap((overlay) => overlay.zone ?? []);
        const heats = overlays.map((overlay) => overlay.heat ?? []).filter((heat) => heat.length);
        const last = node.move && node.move !== 'pass' ? node.move : null;
        const labels = node.notes.flatMap((note) => {
            if (note.type === 'label') return [{ point: note.point, text: note.text }];
            return note.type === 'board_text' && last ? [{ point: last, text: note.text }] : [];
        });
        this.board.show({
            size: session.game.size,
            stones: trees.stonesOf(position),
            last,
            numbers: this.numbers,
            side,
            fouls: facts && !facts.ended && facts.side === 'black' ? facts.fouls : [],
            row: facts?.ended?.row ?? [],
            heat: facts?.ended ? [] : (heats.at(-1) ?? []),
            labels,
            marks: node.notes.flatMap((note) => (note.type === 'mark' ? [note] : [])),
            zone,
            spots: overlays.flatMap((overlay) => overlay.spots ?? []),
        });
        this.#headline(position);
        this.#balance();
        this.players();
    }

    /** @param {Position} position */
    #headline(position) {
        const { facts, session } = this;
        const { rule, size } = session.game;
        const opening = facts?.opening ? ` · ${facts.opening[0]} ${facts.opening[1]}` : '';
        const ended = facts?.ended ? ` · ${facts.ended.text}` : facts ? ` · ${facts.side} to move` : '';
        byId('headline').textContent = `${rule} ${size}×${size} · move ${position.moves.length}${opening}${ended}`;
        byId('headline').classList.toggle('ended', Boolean(facts?.ended));
    }

    /** The bar that says who is better. */
    #balance() {
        const { value } = this.session.node;
        const bar = byId('balance');
        const share = value ? value.black : 0.5;
        bar.style.setProperty('--black', `${(100 * share).toFixed(1)}%`);
        bar.classList.toggle('unknown', !value);
        const mate = value?.mate ?? null;
        const winner = mate !== null && mate > 0 ? 'black' : 'white';
        const text = mate === null ? `${Math.round(100 * share)} %` : `${winner} wins in ${Math.abs(mate)}`;
        byId('balance-text').textContent = value ? (mate === null ? `Black ${text}` : text) : '';
        set(bar, { 'aria-valuenow': Math.round(100 * share), 'aria-valuetext': value ? `Black: ${text}` : 'unknown' });
    }

    /** The players' names and clocks. */
    players() {
        // While the page is being made there is no table yet.
        if (!this.table) return;
        for (const color of /** @type {Color[]} */ (['black', 'white'])) {
            const { name, clock, active } = this.table.side(color);
            const line = byId(`player-${color}`);
            const [, label, time] = line.children;
            const text = name || (color === 'black' ? 'Black' : 'White');
            if (label.textContent !== text) label.textContent = text;
            if (time.textContent !== clock) time.textContent = clock;
            line.classList.toggle('active', active);
        }
    }

    /** Texts for a picture: what stands on the empty points now. @returns {Figure[]} */
    figures() {
        const heats = [...this.#overlays.values()].map((overlay) => overlay.heat ?? []).filter((heat) => heat.length);
        const labels = this.session.node.notes.flatMap((note) =>
            note.type === 'label' ? [{ point: note.point, text: note.text }] : [],
        );
        return [...labels, ...(heats.at(-1) ?? []).map(({ point, text }) => ({ point, text }))];
    }

    // Playing.

    /** @param {string} point */
    #click(point) {
        const occupied = trees.stonesOf(this.session.position).has(point);
        if (this.gamePanel.click(point)) return;
        if (this.table.isOn && this.#isFoul(point)) {
            void this.explainer.show(point);
            return;
        }
        if (this.table.click(point, occupied) || this.puzzles.click(point, occupied)) return;
        this.play(point, false);
    }

    /** @param {string} point */
    #isFoul(point) {
        const { facts } = this;
        return Boolean(facts?.side === 'black' && facts.fouls.some((foul) => foul.point === point));
    }

    /**
     * Plays a move, or goes to it if it is already in the game.
     * @param {string} point
     * @param {boolean} [fouls] whether a foul is meant
     */
    play(point, fouls = false) {
        const { session, facts } = this;
        // A foul that is meant is one of the player's own moves.
        if (this.table.isOn && !fouls) {
            this.say('a game is going on: lines can be shown, not played');
            return;
        }
        // The file may have removed a stone that was played there earlier.
        if (trees.stonesOf(session.position).has(point)) {
            const there = trees.path(session.node).findLast((node) => node.move === point);
            if (there) session.go(there);
            return;
        }
        if (!fouls && this.#isFoul(point)) {
            void this.explainer.show(point);
            return;
        }
        if (fouls && this.table.click(point, false)) return;
        if (facts?.ended) {
            this.say(`the game is over: ${facts.ended.text}`);
            return;
        }
        this.readOut(session.play(point));
    }

    /**
     * Reads a move out to whoever plays by ear.
     * @param {Node} node
     */
    readOut({ color, move, number }) {
        byId('spoken').textContent = `${color} ${move}, move ${number}`;
    }

    /**
     * Plays a line of moves as a variation, up to the first one that the position does not allow.
     * @param {string[]} moves
     * @param {Color} side who makes the first
     */
    playLine(moves, side) {
        const { session } = this;
        if (this.table.isOn) {
            this.say('a game is going on: lines can be shown, not played');
            return;
        }
        this.board.showLine([]);
        const { facts } = this;
        if (facts?.ended) {
            this.say(`the game is over: ${facts.ended.text}`);
            return;
        }
        let color = side;
        for (const move of moves) {
            // Where any reply loses alike there is none to play.
            if (move === '-' || trees.stonesOf(session.position).has(move)) break;
            if (trees.side(session.position) !== color) session.play('pass');
            session.play(move);
            color = other(color);
        }
    }

    /**
     * Begins a search for a move or a hint. It replaces an earlier one for the other of the two.
     * @param {'move' | 'hint'} what
     * @returns {AbortController | null} `null` if the engine is looking for it already
     */
    #want(what) {
        if (this.#wanted?.what === what) return null;
        this.#dismiss();
        const work = new AbortController();
        this.#wanted = { what, node: this.session.node, work };
        return work;
    }

    /** Ends the search for a move or a hint. */
    #dismiss() {
        this.#wanted?.work.abort();
        this.#wanted = null;
    }

    /** The engine plays in the position on the board. */
    async engineMove() {
        const { session, facts } = this;
        if (this.table.isOn || this.puzzles.puzzle || facts?.ended) return;
        const work = this.#want('move');
        if (!work) return;
        const { position, ends } = session;
        this.say('the engine thinks…');
        const clock = /** @type {const} */ ({ type: 'move', ms: MOVE_TIME });
        try {
            const moved = await this.connection.ask(
                { type: 'move', position, ends, level: 100, clock, seed: 1 },
                'moved',
                work.signal,
            );
            session.play(moved.move);
            this.say(`${session.node.color} ${moved.move}${moved.book ? ', from the book' : ''}`);
        } catch (error) {
            if (work.signal.aborted) return;
            this.#dismiss();
            this.say(/** @type {Error} */ (error).message);
        }
    }

    /** Shows what the engine would play. */
    async hint() {
        const work = this.#want('hint');
        if (!work) return;
        const { position } = this.session;
        this.say('the engine looks for a hint…');
        await new Promise((resolve) => {
            /** @type {import('./schema.js').Line | undefined} */
            let best;
            const stop = this.connection.work({ type: 'analyze', position, lines: 1, ms: HINT_TIME }, (tell) => {
                if (tell.type === 'study') [best] = tell.lines;
                if (tell.type !== 'done' && tell.type !== 'error') return;
                this.#dismiss();
                if (tell.type === 'error') this.say(tell.message);
                if (!best) return;
                const side = trees.side(position);
                this.board.showHint(ghosts(best.moves.slice(0, 1), side));
                this.say(`hint: ${best.moves[0]}`);
            });
            work.signal.addEventListener('abort', () => {
                stop();
                resolve(null);
            });
        });
    }

    // Panels, and the actions of buttons and keys.

    /** @param {string} name */
    show(name) {
        this.panel = PANELS.includes(name) ? name : 'analysis';
        this.settings.set('panel', this.panel);
        for (const panel of PANELS) {
            const tab = byId(`tab-${panel}`);
            const chosen = panel === this.panel;
            set(tab, { 'aria-selected': String(chosen), tabindex: chosen ? 0 : -1 });
            byId(panel).hidden = !chosen;
        }
        if (this.panel !== 'analysis') this.analysis.proof.close();
        this.openings.setVisible(this.panel === 'openings' && this.connection.isOpen);
        if (this.panel === 'puzzles') void this.puzzles.show();
        if (this.panel === 'game') this.gamePanel.changed('game');
    }

    /** Passes the turn, if the rules allow it and the user confirms. */
    async pass() {
        const { facts } = this;
        if (!facts?.may_pass) {
            this.say(facts?.ended ? `the game is over: ${facts.ended.text}` : 'no pass is allowed here');
            return;
        }
        if (this.table.isOn) {
            this.say('in a game, pass beside the clock');
            return;
        }
        const { node } = this.session;
        if (!(await confirm('Pass', 'Pass the turn?', 'Pass'))) return;
        // The engine may have moved while the question was open.
        if (node === this.session.node) this.session.play('pass');
        else this.say('the position has changed: nothing is passed');
    }

    undo() {
        const label = this.table.isOn ? null : this.session.undo();
        if (this.table.isOn) this.say('a game is going on: take back instead');
        else this.say(label ? `undone: ${label}` : 'there is nothing to undo');
    }

    redo() {
        const label = this.table.isOn ? null : this.session.redo();
        if (this.table.isOn) this.say('a game is going on: take back instead');
        else this.say(label ? `done again: ${label}` : 'there is nothing to redo');
    }

    /** Shows or hides the move numbers. */
    toggleNumbers() {
        this.numbers = !this.numbers;
        this.settings.set('numbers', this.numbers ? 'on' : 'off');
        set(byId('numbers'), { 'aria-pressed': String(this.numbers) });
        this.draw();
    }
}

/**
 * What goes on by what was kept; `null` if nothing does.
 * @param {Partial<Extra>} extra
 * @param {Node[]} nodes the nodes of the kept game
 * @returns {Ongoing | null}
 */
function ongoing({ match = null, used = 0, puzzle = null, isSolved = false, tip = -1 }, nodes) {
    return match || puzzle ? { match, used, puzzle, isSolved, tip: nodes[tip] ?? null } : null;
}

/** For tests in a browser, and for whoever looks under the bonnet. */
Object.assign(window, { kagetsu: new App() });
