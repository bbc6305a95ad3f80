// Live analysis: the best lines as the engine finds them, what the opponent threatens, proven wins.

import { alike, byId, button, el, field, replaceButtons, select } from './dom.js';
import { shade } from './drawing.js';
import { side as sideOf, valueFor } from './game.js';
import { LineButtons } from './lines.js';
import { other } from './points.js';
import { ProofView } from './proof.js';
import { by, short, worth, worthShort } from './words.js';

/** @import { Line, Study, Threat } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Node } from './game.js' */

/** Moves of a line that are shown, and that are read out. */
const [SHOWN, READ] = [24, 6];

export class Analysis {
    on = false;
    /** @type {Study | null} */
    study = null;
    /** @type {(() => void) | null} */
    #stop = null;
    /** @type {Node | null} */
    #node = null;
    /** @type {number | undefined} */
    #soon;
    /** The element with the focus when its results became stale. @type {HTMLElement | null} */
    #focused = null;
    /** Whether the moves that stop the threat are shown on the board. */
    #isPinned = false;
    /** The parts of the opponent's threat, which stay when its moves change. */
    #parts = {
        good: el('p', { class: 'good' }),
        warn: el('p', { class: 'warn' }),
        line: el('p', { class: 'moves', tabindex: -1 }),
        stoppers: el('p', { class: 'moves', tabindex: -1 }),
        pin: el('label', { class: 'check' }, this.#pinBox(), ' show on the board'),
    };
    /** @type {LineButtons} */
    #buttons;

    /** @param {App} app */
    constructor(app) {
        this.app = app;
        this.#buttons = new LineButtons(app);
        this.toggle = button('Analyse', () => this.setOn(!this.on), {
            class: 'primary',
            'aria-pressed': 'false',
            title: 'Start or stop the analysis (A)',
        });
        const chooser = select(alike(['1', '2', '3', '5', '8', '12']), app.settings.get('lines', '3'), (value) => {
            this.lines = Number(value);
            app.settings.set('lines', value);
            this.restart();
        });
        this.lines = Number(chooser.value);
        this.effort = el('p', { class: 'effort' });
        this.list = el('ol', { class: 'lines', 'aria-label': 'Best lines' });
        const { good, warn, line, stoppers, pin } = this.#parts;
        this.threat = el('div', { class: 'threat' }, good, warn, line, stoppers, pin);
        this.proof = new ProofView(app);
        const wins = el(
            'div',
            { class: 'row wrap' },
            button('Win by fours?', () => this.proof.find('vcf', this.#side), { title: 'VCF of the side to move' }),
            button('Win by threats?', () => this.proof.find('vct', this.#side), { title: 'VCT of the side to move' }),
            button('Opponent’s win?', () => this.proof.find('vct', other(this.#side)), {
                title: 'VCT of the other side, as after a pass',
            }),
        );
        byId('analysis').append(
            el('div', { class: 'row' }, this.toggle, field('Lines', chooser)),
            this.effort,
            this.list,
            this.threat,
            wins,
            this.proof.element,
        );
        this.#clear();
    }

    #pinBox() {
        const box = el('input', { type: 'checkbox' });
        box.addEventListener('change', () => {
            this.#isPinned = box.checked;
            if (this.study) this.#show(this.study);
        });
        return box;
    }

    get #side() {
        return sideOf(this.app.session.position);
    }

    /** @param {boolean} on */
    setOn(on) {
        this.on = on;
        this.toggle.setAttribute('aria-pressed', String(on));
        this.toggle.textContent = on ? 'Stop' : 'Analyse';
        this.restart();
    }

    /** Says the best line so far and what is threatened, for the ear: the panel changes several times a second. */
    readOut() {
        const { study } = this;
        const best = study?.lines[0];
        if (!study || !best) {
            this.app.say(this.on ? 'the analysis has found nothing yet' : 'the analysis is off');
            return;
        }
        const line = best.moves.slice(0, READ).join(' ');
        const threat = study.threat ? `; ${this.#threatens(study.threat)}` : '';
        this.app.say(`depth ${study.depth}: ${this.#side} ${worth(best)}, ${line}${threat}`);
    }

    /** @param {Threat} threat */
    #threatens({ length }) {
        return `${other(this.#side)} threatens to win by fours in ${length}`;
    }

    /** The position has changed: results for the earlier one are cleared. */
    moved() {
        if (this.app.session.node === this.#node) return;
        this.proof.close();
        this.restart();
    }

    restart() {
        this.#stop?.();
        this.#stop = null;
        this.study = null;
        this.#node = this.app.session.node;
        clearTimeout(this.#soon);
        if (!this.on) {
            this.#clear();
            return;
        }
        this.#setStale(true);
        this.app.stage.overlay('analysis', {});
        // Wait 60 ms: while an arrow key repeats, no position stays long enough for a search.
        this.#soon = window.setTimeout(() => this.#start(), 60);
    }

    #start() {
        const { app } = this;
        const { node, position } = app.session;
        this.#stop = app.connection.work({ type: 'analyze', position, lines: this.lines, ms: null }, (tell) => {
            if (node !== app.session.node) return;
            if (tell.type === 'study') this.#hear(tell, node);
            else if (tell.type === 'error') {
                this.#clear();
                this.effort.textContent = tell.message;
            } else if (tell.type === 'queued') this.effort.textContent = 'The engine is busy with something else…';
            else if (tell.type === 'done') this.effort.append(' · finished');
        });
    }

    /** @param {Study} study @param {Node} node */
    #hear(study, node) {
        this.study = study;
        const best = study.lines[0];
        if (best) {
            node.value = { ...node.value, ...valueFor(this.#side, best.win_rate, best.mate) };
        }
        this.#show(study);
        this.app.studied();
    }

    /**
     * Results of another position stay on the screen until new ones come, but cannot be used. A focus among them comes
     * back with the new ones.
     * @param {boolean} isStale
     */
    #setStale(isStale) {
        for (const part of [this.list, this.threat]) {
            const { activeElement } = document;
            if (isStale && activeElement instanceof HTMLElement && part.contains(activeElement)) {
                this.#focused = activeElement;
                activeElement.blur();
            }
            part.classList.toggle('stale', isStale);
            part.inert = isStale;
        }
        if (isStale) {
            this.#buttons.hide();
            return;
        }
        if (document.activeElement === document.body) this.#focused?.focus({ preventScroll: true });
        this.#focused = null;
    }

    #clear() {
        this.effort.textContent = 'Depth, nodes and the best lines appear here while the engine thinks.';
        this.list.replaceChildren();
        this.#focused = null;
        this.#showThreat(null, '');
        delete this.threat.dataset.key;
        this.#buttons.settle();
        this.app.stage.overlay('analysis', {});
    }

    /** @param {Study} study */
    #show(study) {
        this.#setStale(false);
        const at = study.at_work;
        const work = at ? ` · at ${at.point}, move ${at.number} of depth ${at.depth}` : '';
        const seconds = (study.ms / 1000).toFixed(1);
        this.effort.textContent = study.is_static
            ? 'looking…'
            : `depth ${study.depth}/${study.seldepth} · ${short(study.nodes)} nodes · ${short(study.nps)}/s · ` +
              `${seconds} s${work}`;
        study.lines.forEach((line, i) => this.#line(line, i));
        while (this.list.children.length > study.lines.length) this.list.lastElementChild?.remove();
        this.#threat(study);
        this.#buttons.settle();
        const best = Math.max(...study.lines.map((line) => line.win_rate), 0);
        const heat = study.lines.flatMap((line, i) => {
            const point = line.moves[0];
            if (!point || point === '-' || point === 'pass') return [];
            return [{ point, share: shade(line.win_rate, best), text: worthShort(line), best: i === 0 }];
        });
        const stops = this.#isPinned ? (study.threat?.stops ?? []) : [];
        this.app.stage.overlay('analysis', {
            heat,
            spots: stops.map((point) => ({ point, text: '◇', tone: 'stop' })),
        });
    }

    /** @param {Line} line @param {number} i */
    #line(line, i) {
        let item = this.list.children[i];
        if (!item) {
            item = el('li', {}, el('span', { class: 'worth' }), el('span', { class: 'moves', tabindex: -1 }));
            this.list.append(item);
        }
        const [value, moves] = /** @type {HTMLElement[]} */ ([...item.children]);
        value.textContent = worth(line);
        value.classList.toggle('proven', line.mate !== null);
        const side = this.#side;
        // The same moves may come back after a pass, for the other side.
        const key = `${side} ${line.moves.join(' ')}`;
        // An element under the pointer stays as long as its line is the same.
        if (item.getAttribute('data-line') === key) return;
        item.setAttribute('data-line', key);
        const buttons = this.#buttons.of(line.moves, side, SHOWN);
        replaceButtons(moves, buttons, line.moves.length > SHOWN ? [...buttons, '…'] : buttons);
    }

    /** @param {Study} study */
    #threat({ threat, proven: means, lines: [best] }) {
        // The proof in a sentence; empty without one.
        const proven = means && best ? `Proven ${by(means)}: ${this.#side} ${worth(best)}.` : '';
        // The buttons play for the sides that they were made for, so the side belongs to the key as well.
        const key = JSON.stringify([threat, proven, this.#side]);
        if (this.threat.dataset.key === key) return;
        this.threat.dataset.key = key;
        this.#showThreat(threat, proven);
    }

    /** @param {Study['threat']} threat @param {string} proven */
    #showThreat(threat, proven) {
        const { good, warn, line, stoppers, pin } = this.#parts;
        good.textContent = proven;
        good.hidden = !proven;
        for (const part of [warn, line, stoppers]) part.hidden = !threat;
        pin.hidden = !threat?.stops.length;
        if (!threat) {
            warn.textContent = '';
            replaceButtons(line, []);
            replaceButtons(stoppers, []);
            return;
        }
        const attacker = other(this.#side);
        const moves = this.#buttons.of(threat.line, attacker);
        const stops = threat.stops.flatMap((point) => this.#buttons.of([point], this.#side));
        warn.textContent = `${this.#threatens(threat)}:`;
        replaceButtons(line, moves);
        const none = threat.complete ? 'Nothing stops it.' : 'No move that stops it is known.';
        const some = threat.complete ? 'Stopped by ' : 'Stopped at least by ';
        replaceButtons(stoppers, stops, [stops.length ? some : none, ...stops]);
    }
}
