// The panel of the game: its tree, comments and marks, who played, and the judgement of all moves.

import { Annotation } from './annotation.js';
import { confirm } from './dialogs.js';
import { alike, button, byId, el, select, set } from './dom.js';
import {
    comment,
    isMain,
    labelsOf,
    nextLabel,
    path,
    property,
    toggleMark,
    walk,
    withComment,
    withLabel,
    withProperty,
} from './game.js';
import { Graph } from './graph.js';
import { RULES } from './rules.js';
import { TreeView } from './treeview.js';
import { count, judgement } from './words.js';

/** @import { Rule } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { What } from './session.js' */
/** @import { Node } from './game.js' */

/** @typedef {'triangle' | 'square' | 'circle' | 'cross'} Sign */

export class GamePanel {
    /** The mark that a click on the board sets instead of playing. @type {Sign | 'label' | null} */
    tool = null;
    /** The node whose comment is being written. @type {Node | null} */
    #writing = null;
    /** The notes of that node before the writing began. @type {Node['notes']} */
    #before = [];
    /** The buttons of the marks, by mark. @type {Map<Sign | 'label', HTMLButtonElement>} */
    #signs = new Map();

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.treeBox = el('div', { class: 'tree', role: 'group', 'aria-label': 'Tree of moves', tabindex: 0 });
        this.tree = new TreeView(this.treeBox);
        this.tree.onchoose = (node) => app.session.go(node);
        this.graph = new Graph(byId('course'));
        this.graph.onchoose = (node) => app.session.go(node);
        this.facts = el('dl', { class: 'facts' });
        this.comment = el('textarea', { rows: 3, placeholder: 'A comment on this position', 'aria-label': 'Comment' });
        this.comment.addEventListener('focus', () => this.#beginComment());
        this.comment.addEventListener('input', () => this.#writeComment());
        this.comment.addEventListener('change', () => this.#keepComment());
        this.judgement = el('p', { class: 'judgement' });
        this.annotation = new Annotation(app);
        this.annotation.onjudged = () => this.valued();
        this.annotation.onend = () => {
            this.tree.show(app.session.game.root, app.session.node);
            this.valued();
        };
        this.signs = el('div', { class: 'row wrap', role: 'group', 'aria-label': 'Marks' });
        byId('game').append(
            el('div', { id: 'games', hidden: true }),
            this.facts,
            this.treeBox,
            el(
                'div',
                { class: 'row wrap' },
                button('Main line', () => this.#promote(), { title: 'Make this variation the main line' }),
                button('Delete', () => this.remove(), { title: 'Delete this move and all that follows (Del)' }),
                ...this.annotation.parts,
            ),
            this.judgement,
            this.comment,
            this.signs,
        );
        this.#makeFacts();
        this.#makeSigns();
    }

    #beginComment() {
        this.#writing = this.app.session.node;
        this.#before = this.#writing.notes;
    }

    /** Stores the text while it is being written, because a reload or a crash comes before the end of the writing. */
    #writeComment() {
        const node = this.#writing ?? this.app.session.node;
        node.notes = withComment(node.notes, this.comment.value);
        this.app.saveLater();
    }

    /** Makes one change of all that was written, which undo takes back. */
    #keepComment() {
        const node = this.#writing ?? this.app.session.node;
        const before = this.#before;
        if (this.comment.value === comment({ notes: before })) return;
        this.#before = withComment(node.notes, this.comment.value);
        this.app.session.annotate('comment', node, this.#before, before);
    }

    #makeSigns() {
        /** @type {[Sign | 'label', string, string][]} */
        const signs = [
            ['triangle', '△', 'Triangle'],
            ['square', '□', 'Square'],
            ['circle', '○', 'Circle'],
            ['cross', '✕', 'Cross'],
            ['label', 'A', 'Label'],
        ];
        for (const [sign, text, name] of signs) {
            const choose = () => {
                this.#choose(this.tool === sign ? null : sign);
                const off = `${name}: off`;
                this.app.say(this.tool ? `${name}: click the points; press again or Escape to end` : off);
            };
            this.#signs.set(sign, button(text, choose, { 'aria-label': name, class: 'sign' }));
        }
        this.signs.append('Mark: ', ...this.#signs.values());
        this.#choose(null);
    }

    /** @param {Sign | 'label' | null} tool */
    #choose(tool) {
        this.tool = tool;
        // The buttons stay, so that the focus stays on the one that was pressed.
        for (const [sign, made] of this.#signs) set(made, { 'aria-pressed': String(sign === tool) });
    }

    /** Clicks play again. */
    endMarks() {
        this.#choose(null);
    }

    /** A click on the board while a mark is chosen. @param {string} point */
    click(point) {
        const { tool, app } = this;
        if (!tool) return false;
        const { node } = app.session;
        if (tool === 'label') {
            const had = labelsOf(node).some((label) => label.point === point);
            app.session.annotate('label', node, withLabel(node, point, had ? '' : nextLabel(node)));
        } else app.session.annotate(tool, node, toggleMark(node.notes, point, tool));
        return true;
    }

    #promote() {
        const { session } = this.app;
        const isThere = isMain(session.node);
        if (!isThere) session.promote();
        this.app.say(isThere ? 'this is the main line' : 'this is the main line now');
    }

    async remove() {
        const { play, session } = this.app;
        const { node } = session;
        if (!node.parent) return;
        if (play.isOn && play.tip && path(play.tip).includes(node)) {
            this.app.say('the game that is going on has this move: take back instead');
            return;
        }
        const moves = walk(node).length;
        if (moves > 20 && !(await confirm('Delete', `Delete ${moves} moves? Undo brings them back.`, 'Delete'))) return;
        // The engine may have moved while the question was open.
        if (node !== session.node) {
            this.app.say('the position has changed: nothing is deleted');
            return;
        }
        session.removeVariation();
        this.app.say(`deleted ${count(moves, 'move')}; undo brings ${moves === 1 ? 'it' : 'them'} back`);
    }

    /** @param {What} what */
    changed(what) {
        const { game, node } = this.app.session;
        this.annotation.changed(what);
        if (what === 'move') this.tree.move(node);
        else this.tree.show(game.root, node);
        if (what === 'game') for (const show of this.#fields) show();
        if (document.activeElement !== this.comment || this.#writing !== node) {
            if (document.activeElement === this.comment) this.#keepComment();
            this.comment.value = comment(node);
            this.#beginComment();
        }
        this.valued();
    }

    /** Another value of a position is known. */
    valued() {
        const { node } = this.app.session;
        this.graph.show(node);
        const { value } = node;
        const text = [];
        if (value?.verdict) {
            const loss = value.loss ? `, lost ${(100 * value.loss).toFixed(0)} %` : '';
            text.push(`${judgement(value.verdict)}${loss}`);
            const differs = value.best?.[0] && value.best[0] !== node.move;
            if (differs && value.verdict !== 'good') text.push(`better was ${value.best?.slice(0, 6).join(' ')}`);
        }
        this.judgement.textContent = text.join('; ');
        this.judgement.className = `judgement ${value?.verdict ?? ''}`;
    }

    /** Makes the fields for facts about the game. They stay when their values change, so that the focus is kept. */
    #makeFacts() {
        const { session } = this.app;
        const edit = (/** @type {string} */ key, /** @type {string} */ label) => {
            const input = el('input', { maxlength: 200, 'aria-label': label });
            let before = session.game.properties;
            const begin = () => (before = session.game.properties);
            const written = () => withProperty(session.game.properties, key, input.value.trim());
            input.addEventListener('focus', begin);
            // A reload may come before the end of the writing, as with the comment.
            input.addEventListener('input', () => {
                session.game.properties = written();
                this.app.saveLater();
            });
            input.addEventListener('change', () => session.set(label, 'properties', written(), before));
            this.#fields.push(() => {
                input.value = property(session.game, key);
                begin();
            });
            return [el('dt', {}, label), el('dd', {}, input)];
        };
        const rule = select(alike(RULES), '', (value) => session.setRule(/** @type {Rule} */ (value)), {
            'aria-label': 'Rule',
        });
        /** @type {[string, string][]} */
        const results = [
            ['', 'open'],
            ['black', 'Black wins'],
            ['white', 'White wins'],
            ['draw', 'draw'],
        ];
        const result = select(results, '', (value) => session.set('result', 'result', value || null), {
            'aria-label': 'Result',
        });
        this.#fields.push(() => {
            rule.value = session.game.rule;
            result.value = session.game.result ?? '';
        });
        this.lock = (locked) => [rule, result].forEach((list) => (list.disabled = locked));
        this.facts.append(
            ...edit('PB', 'Black'),
            ...edit('PW', 'White'),
            ...edit('EV', 'Event'),
            el('dt', {}, 'Rule'),
            el('dd', {}, rule),
            el('dt', {}, 'Result'),
            el('dd', {}, result),
        );
    }

    /** Each shows the value of a field. @type {(() => void)[]} */
    #fields = [];

    /** Keeps rule and result as they are while a game is played. @type {(locked: boolean) => void} */
    lock = () => {};
}
