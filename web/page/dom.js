// Small helpers for elements. Texts become text nodes and attributes, never markup.

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Value */

/**
 * Sets attributes; a function listens to the event that `on…` names, `true` and `false` set and remove.
 * @param {Element} element
 * @param {Record<string, Value>} attributes
 */
export function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function') element.addEventListener(name.slice(2), value);
        else if (value === false || value === null || value === undefined) element.removeAttribute(name);
        else element.setAttribute(name, value === true ? '' : String(value));
    }
}

/**
 * Makes an HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Value>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    set(element, attributes);
    element.append(...children.filter((child) => child !== null));
    return element;
}

/**
 * Makes an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Value>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    set(element, attributes);
    element.append(...children);
    return element;
}

/**
 * A button with a text.
 * @param {string} text
 * @param {() => void} press
 * @param {Record<string, Value>} [attributes]
 */
export function button(text, press, attributes = {}) {
    return el('button', { type: 'button', onclick: () => press(), ...attributes }, text);
}

/**
 * A labelled form field.
 * @param {string} label
 * @param {HTMLElement} field
 */
export function field(label, field) {
    return el('label', { class: 'field' }, el('span', {}, label), field);
}

/**
 * A list to choose from.
 * @param {[string, string][]} options values and texts
 * @param {string} value
 * @param {(value: string) => void} [change]
 * @param {Record<string, Value>} [attributes]
 */
export function select(options, value, change = () => {}, attributes = {}) {
    const list = el('select', { onchange: () => change(list.value), ...attributes });
    setOptions(list, options, value);
    return list;
}

/**
 * Options whose texts are their values.
 * @param {string[]} values
 * @returns {[string, string][]}
 */
export function alike(values) {
    return values.map((value) => [value, value]);
}

/**
 * Replaces the options of a list, which keeps the focus. Without an option of the value, the first one is chosen.
 * @param {HTMLSelectElement} list
 * @param {[string, string][]} options values and texts
 * @param {string} value
 */
export function setOptions(list, options, value) {
    list.replaceChildren(...options.map(([key, text]) => el('option', { value: key, selected: key === value }, text)));
}

/**
 * The element with an id, which the page has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no ${id}`);
    return found;
}

/**
 * A group of elements, and each of them by its key.
 * @typedef {{ group: SVGGElement, kept: Map<string, Element> }} Layer
 */

/**
 * Makes the elements of a layer agree with a list: one element a key, kept while the key stays.
 * @template T
 * @param {Layer} layer changed here
 * @param {[string, T][]} items keys and what they stand for
 * @param {(item: T) => Element} make
 * @param {(element: Element, item: T) => void} [update]
 */
export function keyed({ group, kept }, items, make, update = () => {}) {
    const wanted = new Set(items.map(([key]) => key));
    for (const [key, element] of kept) {
        if (!wanted.has(key)) {
            element.remove();
            kept.delete(key);
        }
    }
    for (const [key, item] of items) {
        let element = kept.get(key);
        if (!element) {
            element = make(item);
            kept.set(key, element);
            group.append(element);
        }
        update(element, item);
    }
}

/**
 * Gives an element a text, unless it has it: a text that is written again is drawn and read out anew.
 * @param {Element | null} element
 * @param {string} text
 */
export function write(element, text) {
    if (element && element.textContent !== text) element.textContent = text;
}

/**
 * Replaces the buttons of a group that can have the focus itself. A focus among the old ones goes to the new one with
 * the same text, at once or when it is enabled again. Until then the group has it, because a key that is held must not
 * press another button.
 * @param {HTMLElement} group
 * @param {HTMLButtonElement[]} buttons
 * @param {(Node | string)[]} [content] all that the group holds, the buttons in it
 */
export function replaceButtons(group, buttons, content = buttons) {
    const { activeElement } = document;
    const had = group.contains(activeElement);
    if (had && activeElement !== group && activeElement instanceof HTMLElement) {
        group.dataset.focused = activeElement.textContent ?? '';
        // A button that is removed may not be told that it has lost the focus.
        activeElement.blur();
    }
    group.replaceChildren(...content);
    if (!had) return;
    const same = buttons.find((made) => !made.disabled && made.textContent === group.dataset.focused);
    (same ?? group).focus({ preventScroll: true });
}

/** Milliseconds after which a message is gone: at least, and for each of its characters. */
const [MESSAGE_TIME, CHARACTER_TIME] = [8000, 100];
/** @type {number | undefined} */
let spoken;

/**
 * Says something to whoever listens to the page, and shows it for a while: in the status line, and in an open dialog,
 * which covers the status line on a phone and keeps screen readers from it everywhere.
 * @param {string} text
 */
export function announce(text) {
    const lines = [byId('status'), ...document.querySelectorAll('dialog[open] .told')];
    const write = (/** @type {string} */ words) => {
        for (const line of lines) line.textContent = words;
    };
    write(text);
    clearTimeout(spoken);
    spoken = window.setTimeout(() => write(''), Math.max(MESSAGE_TIME, CHARACTER_TIME * text.length));
}
