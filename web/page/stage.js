// The board on display: the position with its facts and the marks of the panels, the headline, and the bar that shows
// which side is better.

import { byId, set } from './dom.js';
import { labelsOf, stonesOf } from './game.js';
import { standing } from './words.js';

/** @import { Color, Figure, Position } from './schema.js' */
/** @import { Board } from './board.js' */
/** @import { Referee } from './referee.js' */
/** @import { Session } from './session.js' */
/** @import { Settings } from './settings.js' */
/** @import { View } from './view.js' */

/** @typedef {Pick<View, 'heat' | 'spots' | 'zone'>} Overlay What a panel adds to the board */

export class Stage {
    /** @type {Map<string, Partial<Overlay>>} */
    #overlays = new Map();
    #isDrawing = false;
    /** A position that is being set up, which covers the game. @type {Session | null} */
    #draft = null;
    /** The colour of the stones that clicks put there. @type {Color | null} */
    #hand = null;

    /**
     * @param {Board} board
     * @param {Session} session
     * @param {Referee} referee
     * @param {Settings} settings
     */
    constructor(board, session, referee, settings) {
        this.board = board;
        this.session = session;
        this.referee = referee;
        this.settings = settings;
        /** Whether stones carry the numbers of their moves. */
        this.hasNumbers = settings.isOn('numbers', true);
        this.#press();
    }

    /**
     * Shows a position that is being set up, without the marks of the panels.
     * @param {Session | null} draft `null` to show the game again
     * @param {Color} hand the colour of the stones that clicks put
     */
    cover(draft, hand) {
        this.#draft = draft;
        this.#hand = draft && hand;
        this.draw();
    }

    /** What the panels add to the position that is shown. */
    get #added() {
        return this.#draft ? [] : [...this.#overlays.values()];
    }

    /** Shows or hides the move numbers. */
    toggleNumbers() {
        this.hasNumbers = !this.hasNumbers;
        this.settings.turn('numbers', this.hasNumbers);
        this.#press();
        this.draw();
    }

    #press() {
        set(byId('numbers'), { 'aria-pressed': String(this.hasNumbers) });
    }

    /** @param {string} name @param {Partial<Overlay>} overlay */
    overlay(name, overlay) {
        this.#overlays.set(name, overlay);
        this.draw();
    }

    /** The values of moves that are on the board: those of the last overlay that has some. */
    get #heat() {
        return this.#added.findLast(({ heat }) => heat?.length)?.heat ?? [];
    }

    /** Texts for a picture, one for each point: what stands there now. @returns {Figure[]} */
    get figures() {
        const texts = [...this.#heat, ...labelsOf(this.session.node)];
        return [...new Map(texts.map(({ point, text }) => [point, { point, text }])).values()];
    }

    /** Draws the board with the next picture of the screen, once for many changes. */
    draw() {
        if (this.#isDrawing) return;
        this.#isDrawing = true;
        requestAnimationFrame(() => {
            this.#isDrawing = false;
            this.#draw();
        });
    }

    #draw() {
        const { hasNumbers } = this;
        const session = this.#draft ?? this.session;
        const facts = this.#draft ? null : this.referee.facts;
        const { position, node } = session;
        const overlays = this.#added;
        const side = facts && !facts.ended ? facts.side : null;
        this.board.show({
            size: session.game.size,
            stones: stonesOf(position),
            last: node.move && node.move !== 'pass' ? node.move : null,
            numbers: hasNumbers,
            side,
            hand: this.#hand,
            fouls: side === 'black' ? (facts?.fouls ?? []) : [],
            falseFouls: side === 'black' ? (facts?.false_fouls ?? []) : [],
            row: facts?.ended?.row ?? [],
            heat: facts?.ended ? [] : this.#heat,
            labels: labelsOf(node),
            marks: node.notes.flatMap((note) => (note.type === 'mark' ? [note] : [])),
            zone: overlays.flatMap((overlay) => overlay.zone ?? []),
            spots: overlays.flatMap((overlay) => overlay.spots ?? []),
        });
        this.#headline(position);
        this.balance();
    }

    /** @param {Position} position */
    #headline({ rule, size, moves }) {
        const { facts } = this.referee;
        const opening = facts?.opening ? ` · ${facts.opening[0]} ${facts.opening[1]}` : '';
        const ended = facts?.ended ? ` · ${facts.ended.text}` : facts ? ` · ${facts.side} to move` : '';
        byId('headline').textContent = `${rule} ${size}×${size} · move ${moves.length}${opening}${ended}`;
        byId('headline').classList.toggle('ended', Boolean(facts?.ended));
    }

    /** The bar that says who is better. */
    balance() {
        const { value } = (this.#draft ?? this.session).node;
        const bar = byId('balance');
        const share = 100 * (value?.black ?? 0.5);
        bar.style.setProperty('--black', `${share.toFixed(1)}%`);
        bar.classList.toggle('unknown', !value);
        const text = value ? standing(value) : '';
        byId('balance-text').textContent = text;
        set(bar, { 'aria-valuenow': Math.round(share), 'aria-valuetext': text || 'unknown' });
    }
}
