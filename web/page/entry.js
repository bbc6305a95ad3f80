// Positions that are entered as text, in any notation. The server reads them.

import { ask } from './dialogs.js';
import { el, field } from './dom.js';
import { gameOf } from './game.js';

/** @import { App } from './app.js' */
/** @import { Link } from './link.js' */

/**
 * Shows a position in any notation, unless the user stays with a game that is going on.
 * @param {App} app
 * @param {Link} link rule and size are for texts that do not say them
 * @returns {Promise<boolean>} whether it is shown
 * @throws {Error} if it is no position
 */
export async function openText(app, { text, rule, size }) {
    const { position } = await app.connection.ask({ type: 'parse', text, size, rule }, 'position');
    const { game, last } = gameOf(position);
    return app.put('position', game, last);
}

/**
 * Asks for a position, and shows it. A text that is no position is asked about again.
 * @param {App} app
 * @param {string} [before] the text so far
 */
export async function enter(app, before = '') {
    const text = el('textarea', { rows: 4, spellcheck: 'false' }, before);
    const hint = 'Moves as h8h9i9, an opening as D4, rows as 15/…/15 x, a link of a web board, or an SGF.';
    const given = await ask(
        'Enter a position',
        [field('Position', text), el('p', { class: 'hint' }, hint)],
        [['Show it', () => text.value.trim() || null]],
    );
    if (!given) return;
    if (given.startsWith('(')) {
        await app.files.open(new File([given], 'pasted.sgf'));
        return;
    }
    const { rule, size } = app.session.game;
    try {
        await openText(app, { text: given, rule, size });
    } catch (error) {
        void enter(app, given);
        // The dialog, which is open now, shows what is wrong.
        app.complain(error);
    }
}
