// Restoring the game of a tab after a reload, with the match, puzzle or set-up that goes on in it, and the choice of
// the first game that a page shows.

import { confirm } from './dialogs.js';
import { lastKept, walk } from './game.js';
import { isSame } from './link.js';
import { pack, Store, unpack } from './store.js';

/** @import { Loaded, Position, Puzzle, Welcome } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Game, Node } from './game.js' */
/** @import { Link } from './link.js' */
/** @import { Match } from './match.js' */

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
 * The data kept beside the game: the match or puzzle that goes on, with its tip as a number among the nodes, the
 * position that is being set up, the start of the program whose file was shown, and the address that the page wrote
 * itself.
 * @typedef {Omit<Ongoing, 'tip'> & { tip: number, draft: Position | null, opened: string, linked: Link | null }} Extra
 */

export class Restore {
    /** The match or puzzle that goes on as soon as the program answers. @type {Ongoing | null} */
    #waiting = null;
    /** The start of the program whose file was shown. */
    #opened = '';
    /** The game of which the user knows that the browser does not keep it. @type {Game | null} */
    #unkept = null;

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.store = new Store(
            () => pack(app.session, this.#extra(), Date.now()),
            (error) => this.#complain(error),
        );
        this.store.onkept = () => (this.#unkept = null);
        this.store.oncopy = () => {
            this.#waiting = null;
            app.leave();
        };
    }

    /**
     * Says that the game is not kept, once: storing it fails after each of its changes, and a warning each time would
     * hide what else the page says.
     * @param {string} error
     */
    #complain(error) {
        const { game } = this.app.session;
        if (game === this.#unkept) return;
        this.#unkept = game;
        this.app.say(error);
    }

    /** @returns {Extra} */
    #extra() {
        const { address, session, setup, welcome } = this.app;
        const { tip, ...kept } = this.#waiting ?? this.#ongoing;
        const place = tip ? walk(session.game.root).indexOf(tip) : -1;
        const draft = setup.draft?.undoable ? setup.draft.position : null;
        return { ...kept, tip: place, draft, opened: welcome?.start ?? this.#opened, linked: address.linked };
    }

    /** @returns {Ongoing} */
    get #ongoing() {
        const { play, puzzles } = this.app;
        const { match, used } = play;
        const { puzzle, isSolved } = puzzles;
        return { match, used, puzzle, isSolved, tip: puzzle ? puzzles.tip : play.tip };
    }

    /** Puts the game that was kept on the board. */
    game() {
        const kept = this.store.load();
        if (!kept) return;
        const { address, session, setup } = this.app;
        const { game, node, nodes } = unpack(kept);
        session.game = game;
        session.node = node;
        const extra = /** @type {Extra} */ (kept.extra ?? {});
        this.#opened = extra.opened;
        // A game of another tab goes on there, and the address of a new tab is what its user wants to see.
        if (this.store.isNew) return;
        address.linked = extra.linked;
        this.#waiting = ongoing(extra, nodes);
        if (extra.draft) setup.begin(extra.draft);
    }

    /**
     * Chooses the first game to show, when the program answers for the first time. A new tab shows the file given to
     * the program, the position of the address, or the game that was kept. A tab with a game of its own goes on with
     * it, and asks before something else takes its place.
     * @param {Welcome} welcome
     */
    async begin(welcome) {
        const { app } = this;
        const { address, files } = app;
        const { asked } = address;
        const opened = this.#opened === welcome.start ? null : welcome.opened;
        if (this.#waiting) this.#goOn(this.#waiting);
        this.#waiting = null;
        if (opened && this.store.isNew) files.show(opened);
        else if (asked && !(await this.#isShown(asked))) {
            await address.open(asked).catch(({ message }) => app.say(`the address holds no position: ${message}`));
        } else if (opened) await this.#offer(opened);
        this.store.later();
    }

    /**
     * Offers the file given to the program in a tab that has a game of its own.
     * @param {Loaded} opened
     */
    async #offer(opened) {
        const { files, setup } = this.app;
        const text = `The program was started with ${opened.name}. The game of this tab stays in the undo list.`;
        const opens = await confirm('Open the file', text, 'Open it', 'Keep this game');
        if (opens && (await setup.mayEnd())) files.show(opened);
    }

    /**
     * Goes on with a match or a puzzle that was kept, if its last move is still in the tree.
     * @param {Ongoing} kept
     */
    #goOn({ match, used, puzzle, isSolved, tip }) {
        const { play, puzzles, session } = this.app;
        if (!tip || lastKept(session.game, tip) !== tip) return;
        if (match) play.resume(match, tip, used);
        else if (puzzle) puzzles.resume(puzzle, tip, isSolved);
    }

    /** Whether the game on the board stands where the address says. @param {Link} link */
    async #isShown(link) {
        const { address, referee, session } = this.app;
        const facts = await referee.factsOf(session.node).catch(() => null);
        return facts !== null && isSame(link, address.link(facts.text));
    }
}

/**
 * The match or puzzle that goes on by the kept data; `null` if there is none.
 * @param {Extra} extra
 * @param {Node[]} nodes the nodes of the kept game
 * @returns {Ongoing | null}
 */
function ongoing({ match, used, puzzle, isSolved, tip }, nodes) {
    return match || puzzle ? { match, used, puzzle, isSolved, tip: nodes[tip] ?? null } : null;
}
