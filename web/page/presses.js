// Presses of the board by mouse, finger or pen: a click plays, a right click or a long touch asks about a point. Where
// points are small for a finger, the first tap can choose a point, and a second one plays there.

/** Time after which a touch asks about its point, in milliseconds. */
const LONG_TOUCH = 550;

export class Presses {
    /** The timer of a touch that may become a long one. @type {number | undefined} */
    #timer;
    /** Whether the last press was a touch. */
    #isTouch = false;
    /** Whether that touch has asked about its point. */
    #hasAsked = false;
    /** The point that a first tap has chosen, as long as the board shows it. @type {string | null} */
    #chosen = null;
    /** Whether a touch plays at the second tap only. */
    needsTwoTaps = () => false;
    /** @type {(point: string) => void} */
    onplay = () => {};
    /** A first tap has chosen a point. @type {(point: string) => void} */
    onchoose = () => {};
    /** @type {(point: string) => void} */
    onask = () => {};

    /**
     * @param {HTMLElement} host
     * @param {(event: MouseEvent) => string | null} pointOf
     */
    constructor(host, pointOf) {
        this.pointOf = pointOf;
        host.addEventListener('pointerdown', (event) => this.#begin(event));
        for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {
            host.addEventListener(end, () => clearTimeout(this.#timer));
        }
        host.addEventListener('pointercancel', () => (this.#chosen = null));
        host.addEventListener('click', (event) => this.#click(event));
        host.addEventListener('contextmenu', (event) => this.#menu(event));
    }

    /** @param {PointerEvent} event */
    #begin(event) {
        clearTimeout(this.#timer);
        this.#isTouch = event.pointerType === 'touch';
        this.#hasAsked = false;
        // A second finger makes the touch a gesture.
        const point = this.#isTouch && event.isPrimary ? this.pointOf(event) : null;
        if (point) this.#timer = window.setTimeout(() => this.#ask(point), LONG_TOUCH);
    }

    /** @param {MouseEvent} event */
    #click(event) {
        // Some browsers make a click of a long touch.
        const plays = !this.#hasAsked;
        this.#hasAsked = false;
        const point = this.pointOf(event);
        if (!point || !plays) return;
        const isFirst = this.#isTouch && this.needsTwoTaps() && point !== this.#chosen;
        this.#chosen = isFirst ? point : null;
        if (isFirst) this.onchoose(point);
        else this.onplay(point);
    }

    /** @param {MouseEvent} event */
    #menu(event) {
        const point = this.pointOf(event);
        if (!point) return;
        event.preventDefault();
        this.#ask(point);
    }

    /**
     * Asks about a point; about that of a long touch once, of which both the timer and the browser's menu may tell.
     * @param {string} point
     */
    #ask(point) {
        clearTimeout(this.#timer);
        this.#chosen = null;
        if (this.#hasAsked) return;
        this.#hasAsked = this.#isTouch;
        this.onask(point);
    }
}
