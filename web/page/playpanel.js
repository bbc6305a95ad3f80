// The panel of play: the form for a new game, how the game stands, the buttons for what is allowed.

import { button, byId, el, replaceButtons } from './dom.js';
import * as matches from './match.js';
import { NewGameForm } from './newgame.js';

/** @import { Facts, Welcome } from './schema.js' */
/** @import { App } from './app.js' */
/** @import { Play } from './play.js' */
/** @import { PlayActions } from './playactions.js' */

export class PlayPanel {
    #note = el('p', { class: 'play-note' });
    #buttons = el('div', { class: 'row wrap', tabindex: -1 });
    /** @type {NewGameForm} */
    #form;

    /**
     * @param {App} app
     * @param {Play} play
     * @param {PlayActions} actions
     */
    constructor(app, play, actions) {
        this.app = app;
        this.play = play;
        this.actions = actions;
        this.#form = new NewGameForm(app.settings, async (chosen) => {
            if (await app.mayLeave()) play.start(chosen);
        });
        byId('play').append(this.#form.element, this.#note, play.steps.element, this.#buttons);
    }

    /**
     * Offers the regulations that the program knows. They come with each connection.
     * @param {Welcome['regulations']} regulations
     */
    setRegulations(regulations) {
        this.#form.setRegulations(regulations);
    }

    /** Asks how to play; the dialog of the button New. */
    async offer() {
        const { app, play } = this;
        if (!(await app.mayLeave())) return;
        app.setup.end();
        if (play.tip?.parent && play.isOn) play.leave();
        app.tabs.show('play');
        byId('start').focus();
    }

    /** @param {Facts | null} facts of the position of the match, if they are known */
    show(facts) {
        this.#note.textContent = this.#state();
        const choices = this.#choices(facts);
        // Buttons that stay the same are kept: who is about to press one must not lose it.
        const key = JSON.stringify(choices.map(([text, , enabled]) => [text, enabled]));
        if (this.#buttons.dataset.key === key) return;
        this.#buttons.dataset.key = key;
        const made = choices.map(([text, act, enabled]) => button(text, act, { disabled: !enabled }));
        replaceButtons(this.#buttons, made);
    }

    /** The state of the game, in a sentence. */
    #state() {
        const { match, turn, isPaused } = this.play;
        if (!match) return '';
        if (match.over) return `The game is over: ${match.over}.`;
        if (turn.isThinking) return 'The engine thinks…';
        if (isPaused) return 'The game is paused.';
        const { seat } = this.play;
        return match.players[seat] === 'engine' ? 'The engine is to move.' : matches.turnText(match, seat);
    }

    /**
     * Lists the possible actions: texts, functions, and whether each is allowed now.
     * @param {Facts | null} facts
     * @returns {[string, () => void, boolean][]}
     */
    #choices(facts) {
        const { app, actions, play } = this;
        const { match, isPaused, opening } = play;
        if (!match) return [];
        const begun = Boolean(play.tip?.parent);
        if (match.over) {
            return [
                ['Take back', () => actions.takeBack(), begun],
                ['Annotate', () => app.tabs.show('game'), true],
            ];
        }
        const human = match.players[play.seat] === 'human' && !play.turn.isThinking;
        const engines = matches.isOfEngines(match);
        /** @type {[string, () => void, boolean][]} */
        const choices = [];
        if (engines || isPaused) {
            choices.push([isPaused ? 'Go on' : 'Pause', () => actions.pause(!play.isPaused), true]);
        }
        if (engines) return choices;
        const undoable = play.isInOpening ? matches.mayTakeBackAction(match) : begun;
        choices.push(['Take back', () => actions.takeBack(), undoable]);
        choices.push(['Hint', () => void actions.hint(), human]);
        if (facts?.may_pass && human) choices.push(['Pass', () => play.human('pass'), true]);
        if (play.mayAgree && (!match.regulation || opening?.over)) {
            choices.push(['Offer a draw', () => void actions.offerDraw(), human && begun]);
        }
        choices.push(['Resign', () => void actions.resign(), human]);
        return choices;
    }
}
