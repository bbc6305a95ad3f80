// The server's answers held back, and the page's clock moved by hand.

/** @import { Page } from 'playwright-core' */

/**
 * Holds back the server's answers to one kind of question from now on, and the page's clock is moved by hand.
 * @param {Page} page
 * @param {string} type
 */
export async function hold(page, type) {
    await page.evaluate((type) => {
        const { connection } = /** @type {any} */ (window).kagetsu;
        const ask = connection.ask.bind(connection);
        const now = performance.now.bind(performance);
        const held = /** @type {(() => void)[]} */ ([]);
        Object.assign(window, { held, ahead: 0 });
        performance.now = () => now() + /** @type {any} */ (window).ahead;
        connection.ask = async (/** @type {any} */ question, /** @type {any[]} */ ...rest) => {
            if (question.type === type) await new Promise((resolve) => held.push(() => resolve(null)));
            return ask(question, ...rest);
        };
    }, type);
}

/**
 * Lets the questions that were held back go to the server.
 * @param {Page} page
 */
export function release(page) {
    return page.evaluate(() => /** @type {any} */ (window).held.splice(0).forEach((/** @type {any} */ go) => go()));
}

/**
 * Moves the page's clock.
 * @param {Page} page
 * @param {number} ms
 */
export function pass(page, ms) {
    return page.evaluate((ms) => {
        /** @type {any} */ (window).ahead += ms;
    }, ms);
}
