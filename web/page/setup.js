// Setting a position up: stones are put on the board and taken from it freely. The game stays as it is below them until
// Done, which puts the position in its place.

import { confirm } from './dialogs.js';
import { byId, button, select, set } from './dom.js';
import { edited, gameOf, stonesOf, withStones } from './game.js';
import { Session } from './session.js';
import { capital } from './words.js';

/** @import { Color, Position } from './schema.js' */
/** @import { App } from './app.js' */

/** @type {Color[]} */
const COLORS = ['black', 'white'];

/**
 * The stone on a point after a press. A click puts one of the chosen colour or takes it away; a key goes from none to
 * black, to white and to none again.
 * @param {Color | undefined} had
 * @param {Color | null} chosen `null` for a key
 * @returns {Color | null}
 */
export function pressed(had, chosen) {
    if (chosen) return had === chosen ? null : chosen;
    return had ? (had === 'black' ? 'white' : null) : 'black';
}

export class Setup {
    /** The position as a game without moves, with a history of its own; `null` while none is set up. */
    /** @type {Session | null} */
    draft = null;
    /** The colour of the stones that clicks put. @type {Color} */
    #color = 'black';
    #bar = byId('setup-bar');
    #colors = COLORS.map((color) =>
        button(capital(color), () => this.#choose(color), { 'aria-label': `Put ${color} stones` }),
    );
    #side = select(
        COLORS.map((color) => [color, `${capital(color)} to move`]),
        '',
        (color) => this.draft?.set('side', 'first', /** @type {Color} */ (color)),
        { 'aria-label': 'To move' },
    );

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.#bar.append(
            ...this.#colors,
            button('Clear', () => this.#clear()),
            this.#side,
            button('Done', () => void this.#finish(), { class: 'primary' }),
            button('Cancel', () => void this.cancel()),
        );
    }

    /**
     * Begins with the position on the board.
     * @param {Position} [kept] what it was made into before a reload
     */
    begin(kept) {
        const { app } = this;
        const { position } = app.session;
        // Undo reaches the start: a set-up without a change is dropped unasked.
        this.draft = new Session(gameOf(withStones(position, stonesOf(position))).game, Infinity);
        this.draft.watch(() => this.#show());
        if (kept) this.draft.replace('set-up', gameOf(kept).game);
        else {
            this.#show();
            app.board.host.focus({ preventScroll: true });
        }
        app.say('clicks put stones and take them away, Enter changes a point; Done or Cancel ends the set-up');
    }

    /** Ends the set-up: the game is on the board again. */
    end() {
        if (!this.draft) return;
        const hadFocus = this.#bar.contains(document.activeElement);
        this.draft = null;
        this.#show();
        // A held Enter would begin another one by the button Set up.
        if (hadFocus) this.app.board.host.focus({ preventScroll: true });
    }

    /**
     * Asks whether the position that is being set up may be dropped.
     * @returns {Promise<boolean>} also `true` if nothing has changed
     */
    async mayEnd() {
        return !this.draft?.undoable || confirm('Drop the set-up', 'Undo brings nothing back.', 'Drop it', 'Keep it');
    }

    async cancel() {
        if (!(await this.mayEnd())) return;
        this.end();
        this.app.say('the set-up is cancelled');
    }

    /** Puts the position in place of the game, unless nothing has changed or the user stays with a match. */
    async #finish() {
        const { app, draft } = this;
        if (!draft?.undoable) {
            this.end();
            app.say('nothing has changed');
        } else if (await app.put('set-up', draft.game)) app.say('the position is set up');
    }

    /**
     * A press of a point.
     * @param {string} point
     * @param {boolean} isKey
     * @returns {boolean} whether a position is set up
     */
    click(point, isKey) {
        const { draft } = this;
        if (!draft) return false;
        const { position } = draft;
        const color = pressed(stonesOf(position).get(point)?.color, isKey ? null : this.#color);
        draft.set(`stone ${point}`, 'setup', edited(position, point, color).setup);
        this.app.board.onsay(`${point}, ${color ?? 'empty'}`);
        return true;
    }

    /** @param {Color} color */
    #choose(color) {
        this.#color = color;
        this.#show();
    }

    #clear() {
        this.draft?.set('clear', 'setup', []);
        this.app.say('the board is empty');
    }

    #show() {
        const { app, draft } = this;
        const isOn = draft !== null;
        set(byId('steps'), { hidden: isOn });
        set(this.#bar, { hidden: !isOn });
        // The panels belong to the game.
        set(byId('side'), { inert: isOn });
        COLORS.forEach((color, i) => set(this.#colors[i], { 'aria-pressed': String(color === this.#color) }));
        if (draft) this.#side.value = draft.game.first;
        app.stage.cover(draft, this.#color);
        app.controls.update();
        app.saveLater();
    }
}
