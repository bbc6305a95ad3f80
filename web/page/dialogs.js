// Dialogs: a form in a box over the page.

import { button, el } from './dom.js';

/**
 * Shows a dialog and waits for its end.
 * @template T
 * @param {string} title
 * @param {(Node | null)[]} content
 * @param {[string, () => T | null][]} actions buttons; one that gives `null` leaves the dialog open
 * @param {string} [cancel] the text of the button that ends it without a result
 * @returns {Promise<T | null>}
 */
export function ask(title, content, actions, cancel = 'Cancel') {
    return new Promise((resolve) => {
        const dialog = el('dialog', { 'aria-label': title });
        let result = /** @type {T | null} */ (null);
        const close = (/** @type {T | null} */ value) => {
            result = value;
            dialog.close();
        };
        const buttons = actions.map(([text, act], i) =>
            button(
                text,
                () => {
                    const value = act();
                    if (value !== null) close(value);
                },
                { class: i === 0 ? 'primary' : '' },
            ),
        );
        const form = el(
            'form',
            { method: 'dialog' },
            el('h2', {}, title),
            ...content,
            // Messages that come while the dialog is open.
            el('p', { class: 'told', role: 'status' }),
            el(
                'div',
                { class: 'row end' },
                button(cancel, () => close(null)),
                ...buttons.reverse(),
            ),
        );
        form.addEventListener('submit', (event) => {
            event.preventDefault();
            buttons[buttons.length - 1]?.click();
        });
        dialog.append(form);
        dialog.addEventListener('close', () => {
            dialog.remove();
            resolve(result);
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 * @param {string} [no]
 * @returns {Promise<boolean>}
 */
export async function confirm(title, text, yes, no = 'Cancel') {
    return (await ask(title, [el('p', {}, text)], [[yes, () => true]], no)) === true;
}

/** The keys, as the page understands them. */
const KEYS = [
    ['← →', 'one move back or forward'],
    ['↑ ↓', 'previous or next variation'],
    ['Home End', 'start or end of the line'],
    ['PageUp PageDown', 'ten moves back or forward'],
    ['Space', 'the engine moves'],
    ['A, B', 'analysis on and off, read its best line out'],
    ['H', 'a hint'],
    ['N', 'new game'],
    ['O, S', 'open, save'],
    ['Ctrl+Z, Ctrl+Y', 'undo, redo (in a game: Take back)'],
    ['Delete', 'delete the move and all that follows'],
    ['Escape', 'close an explanation; end the setting of marks; cancel a set-up'],
    ['Tab to the board, arrows, Enter', 'choose a point and play there; in a set-up: black, white, none'],
    ['? on a point, right click, long touch', 'why it is forbidden or not'],
];

/**
 * @param {{ text: string, on: boolean, change: (on: boolean) => void }[]} choices settings to turn on and off
 */
export function help(choices) {
    const boxes = choices.map(({ text, on, change }) => {
        const box = el('input', { type: 'checkbox', checked: on });
        box.addEventListener('change', () => change(box.checked));
        return el('p', {}, el('label', { class: 'check' }, box, ` ${text}`));
    });
    const rows = KEYS.map(([keys, text]) => el('tr', {}, el('th', { scope: 'row' }, keys), el('td', {}, text)));
    const about =
        'Click the board to play. Red figures are points forbidden to Black: 33 double three, 44 double ' +
        'four, 6 overline; click one for the reason. A figure struck out only looks like a double three and is ' +
        'allowed. Drop a game file anywhere on the page to open it.';
    const table = el('table', { class: 'keys' }, el('tbody', {}, ...rows));
    return ask('Help', [el('p', {}, about), table, ...boxes], [], 'Close');
}
