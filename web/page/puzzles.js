// Puzzles: find the forced win. The engine defends, and refutes moves that do not win.

import { button, byId, el, field, replaceButtons, select, setOptions } from './dom.js';
import { gameOf, lastKept, positionAt, side } from './game.js';
import { Tip } from './tip.js';
import { contentOf, fileInput } from './transfer.js';
import { by, count } from './words.js';

/** @import { Puzzle, PuzzleSet } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Node } from './game.js' */

const SOLVED = 'solved';

export class Puzzles {
    /** @type {PuzzleSet[]} */
    #sets = [];
    /** The set in the lists. @type {PuzzleSet | null} */
    #set = null;
    /** The sets, and the puzzles of that set. */
    #titles = select([], '', (title) => this.#choose(this.#sets.find((set) => set.title === title)));
    #list = select([], '', () => this.#startChosen());
    /** @type {Puzzle | null} */
    puzzle = null;
    /** The position that the solver reached. @type {Tip} */
    #tip;
    /** Whether the puzzle is solved. */
    isSolved = false;
    /** The position, with the solver to move, about which the verdict was given. @type {Node | null} */
    #told = null;
    #busy = false;
    /** Ends the engine's judgement of a move. */
    #work = new AbortController();

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.#tip = new Tip(app.session);
        this.input = fileInput('Set of puzzles', (file) => void this.open(file));
        this.chooser = el('div', { class: 'row wrap' });
        this.task = el('p', { class: 'task' });
        this.verdict = el('p', { class: 'verdict', 'aria-live': 'polite' });
        this.controls = el('div', { class: 'row wrap', tabindex: -1 });
        const hint =
            'Or one of your own: a game file whose games end in the positions to solve, or a list, one a line.';
        byId('puzzles').append(
            this.chooser,
            this.task,
            this.verdict,
            this.controls,
            el('p', { class: 'hint' }, hint),
            el(
                'div',
                { class: 'row' },
                button('Open a set', () => this.input.click()),
            ),
            this.input,
        );
    }

    /** The position with the solver to move; `null` if the puzzle is solved. @returns {Node | null} */
    get #turn() {
        const { puzzle } = this;
        if (!puzzle || this.isSolved) return null;
        let node = this.#tip.node;
        const isSolvers = (/** @type {Node} */ at) =>
            side(positionAt(this.app.session.game, at)) === puzzle.position.first;
        while (node?.parent && !isSolvers(node)) node = node.parent;
        return node;
    }

    /** The last move of the solution that is in the tree. */
    get tip() {
        return this.#tip.node;
    }

    /** Lists the program's sets. While the page is being loaded there is no connection, and the welcome lists them. */
    async show() {
        if (this.#sets.length || !this.app.connection.isOpen) return;
        try {
            this.#sets = (await this.app.connection.ask({ type: 'puzzles' }, 'puzzles')).sets;
            const chosen = this.app.settings.get('puzzle set', '');
            this.#choose(this.#sets.find(({ title }) => title === chosen) ?? this.#sets[0]);
        } catch (error) {
            this.app.complain(error);
        }
    }

    /** @param {File} file */
    async open(file) {
        const { app } = this;
        const { name } = file;
        try {
            const data = await contentOf(file);
            const { rule } = app.session.game;
            const { sets } = await app.connection.ask({ type: 'read_puzzles', name, data, rule }, 'puzzles');
            await this.show();
            this.#sets = [...this.#sets.filter(({ title }) => title !== sets[0]?.title), ...sets];
            this.#choose(sets[0]);
            app.say(`${name}: ${count(sets[0]?.puzzles.length ?? 0, 'puzzle')}`);
        } catch (error) {
            app.complain(error, `${name}: `);
        }
    }

    /** @returns {Set<string>} */
    get #solved() {
        return new Set(this.app.settings.get(SOLVED, '').split(' ').filter(Boolean));
    }

    /**
     * Shows a set in the lists, and in it the puzzle on the board. It comes back after a reload if it belongs to the
     * program.
     * @param {PuzzleSet | null | undefined} set
     */
    #choose(set) {
        if (!set) return;
        this.#set = set;
        this.app.settings.set('puzzle set', set.title);
        const solved = this.#solved;
        /** @type {[string, string][]} */
        const titles = this.#sets.map(({ title, puzzles }) => [
            title,
            `${title} (${puzzles.filter(({ id }) => solved.has(id)).length} of ${puzzles.length})`,
        ]);
        setOptions(this.#titles, titles, set.title);
        /** @type {[string, string][]} */
        const names = set.puzzles.map(({ id, length }, i) => {
            const plies = length === null ? '' : `: ${count(length, 'ply', 'plies')}`;
            return [id, `${solved.has(id) ? '✓ ' : ''}${i + 1}${plies}`];
        });
        const next = set.puzzles.find(({ id }) => !solved.has(id)) ?? set.puzzles[0];
        const at = set.puzzles.find(({ id }) => id === this.puzzle?.id) ?? next;
        setOptions(this.#list, names, at.id);
        if (this.chooser.hasChildNodes()) return;
        this.chooser.append(
            field('Set', this.#titles),
            field('Puzzle', this.#list),
            button('Start', () => this.#startChosen(), { class: 'primary' }),
        );
    }

    #startChosen() {
        const chosen = this.#set?.puzzles.find(({ id }) => id === this.#list.value);
        if (chosen) void this.start(chosen);
    }

    /** @param {Puzzle} puzzle */
    async start(puzzle) {
        const { app } = this;
        const { game } = gameOf(puzzle.position);
        if (!(await app.put(`puzzle ${puzzle.id}`, game))) return;
        app.analysis.setOn(false);
        this.#pose(puzzle, game.root);
        app.say(this.task.textContent ?? '');
    }

    /**
     * Goes on with a puzzle that was kept.
     * @param {Puzzle} puzzle
     * @param {Node} tip
     * @param {boolean} isSolved
     */
    resume(puzzle, tip, isSolved) {
        this.isSolved = isSolved;
        this.#pose(puzzle, tip);
    }

    /**
     * @param {Puzzle} puzzle
     * @param {Node} tip where it begins or goes on
     */
    #pose(puzzle, tip) {
        this.puzzle = puzzle;
        this.#choose(this.#setOf(puzzle));
        this.#tip.node = tip;
        const plies = puzzle.length === null ? '' : ` in ${count(puzzle.length, 'ply', 'plies')}`;
        this.task.textContent = `${puzzle.position.first} to move wins ${by(puzzle.kind)}${plies}.`;
        if (this.isSolved) this.#say('Solved!', 'good');
        else this.#say('', '');
        this.#show();
    }

    leave() {
        this.#work.abort();
        this.puzzle = null;
        this.#tip.node = null;
        this.isSolved = false;
        this.#busy = false;
        this.task.textContent = '';
        this.#say('', '');
        replaceButtons(this.controls, []);
        this.app.stage.overlay('puzzle', {});
    }

    /**
     * The tree has changed. Undo may have put another game on the board, which ends the puzzle. It may have taken
     * out moves of the solution, and redo may have put them back: the solver goes on from those that are left.
     */
    treeChanged() {
        if (!this.puzzle) return;
        if (!this.#tip.node) this.leave();
        else if (this.#turn !== this.#told) this.#say('', '');
    }

    /** @param {string} text @param {string} tone */
    #say(text, tone) {
        this.#told = this.#turn;
        this.verdict.textContent = text;
        this.verdict.className = `verdict ${tone}`;
    }

    #show() {
        const { app, puzzle } = this;
        if (!puzzle) return;
        replaceButtons(this.controls, [
            button('Start again', () => void this.start(puzzle)),
            button('Show the solution', () => this.#solution(), { disabled: this.isSolved }),
            button('Next puzzle', () => this.#next()),
        ]);
        app.stage.overlay('puzzle', {});
    }

    #solution() {
        const { app, puzzle } = this;
        const turn = this.#turn;
        if (!puzzle || !turn) return;
        app.session.go(turn);
        void app.analysis.proof.find(puzzle.kind, puzzle.position.first);
        app.tabs.show('analysis');
    }

    /**
     * The set of a puzzle: the one in the lists if it has the puzzle, or else another one.
     * @param {Puzzle | null} puzzle
     */
    #setOf(puzzle) {
        const sets = [this.#set, ...this.#sets];
        return sets.find((set) => set?.puzzles.some(({ id }) => id === puzzle?.id));
    }

    #next() {
        const set = this.#setOf(this.puzzle);
        const place = set?.puzzles.findIndex(({ id }) => id === this.puzzle?.id) ?? -1;
        const next = set?.puzzles[place + 1];
        if (next) void this.start(next);
        else if (set) this.#say('That was the last one of this set.', '');
        // A set of the user's own is not kept.
        else this.#say('The set of this puzzle is not open any more.', '');
    }

    /**
     * @param {string} point
     * @param {boolean} occupied
     * @returns {boolean} whether the puzzle takes the click
     */
    click(point, occupied) {
        const { app } = this;
        const turn = this.#turn;
        if (!turn) return false;
        if (this.#busy) return true;
        if (app.session.node !== turn) {
            app.session.go(turn);
            this.#say('Your turn again.', '');
            return true;
        }
        if (occupied) return true;
        void this.#try(point);
        return true;
    }

    /** @param {string} point */
    async #try(point) {
        const { app } = this;
        const puzzle = /** @type {Puzzle} */ (this.puzzle);
        const { signal } = (this.#work = new AbortController());
        this.#busy = true;
        this.#say('…', '');
        app.stage.overlay('puzzle', {});
        const before = this.#turn;
        const tried = app.session.play(point);
        try {
            const position = app.session.position;
            const trial = await app.connection.ask({ type: 'try', position, kind: puzzle.kind }, 'trial', signal);
            if (signal.aborted) return;
            this.#busy = false;
            // The move may have been undone while it was judged.
            if (lastKept(app.session.game, tried) !== tried) {
                this.#say('', '');
                return;
            }
            if (trial.verdict === 'solved') return this.#done(puzzle);
            if (trial.reply) app.session.play(trial.reply, tried);
            if (trial.verdict === 'wrong') {
                this.#tip.node = before;
                const others = trial.refutations.filter((other) => other !== trial.reply).slice(0, 5);
                const more = others.length ? ` (also ${others.join(', ')})` : '';
                const by = trial.reply ? `${trial.reply}${more} stops it` : 'it is forbidden, or no threat';
                this.#say(`${point} does not win: ${by}. Click the board to try again.`, 'bad');
                app.stage.overlay('puzzle', { spots: [{ point, text: '✕', tone: 'bad' }] });
                return;
            }
            this.#tip.node = app.session.node;
            const reply = trial.reply === null ? '' : ` The reply is ${trial.reply}.`;
            const left = trial.left === null ? '' : ` ${trial.left} plies are left.`;
            const unsure = trial.verdict === 'unknown' ? 'That may win; it is too long to be sure.' : 'Right.';
            this.#say(unsure + reply + left, 'good');
        } catch (error) {
            if (signal.aborted) return;
            this.#busy = false;
            this.#say(/** @type {Error} */ (error).message, 'bad');
        }
    }

    /** @param {Puzzle} puzzle */
    #done(puzzle) {
        const solved = this.#solved.add(puzzle.id);
        this.app.settings.set(SOLVED, [...solved].join(' '));
        this.isSolved = true;
        this.#say('Solved!', 'good');
        this.app.say('solved');
        this.#choose(this.#setOf(puzzle));
        this.#show();
    }
}
