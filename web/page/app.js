// The page: all its parts, and what each is told when another one changes.

import { Address } from './address.js';
import { Advice } from './advice.js';
import { Analysis } from './analysis.js';
import { Board } from './board.js';
import { Connection } from './connection.js';
import { Controls } from './controls.js';
import { confirm } from './dialogs.js';
import { announce, byId, write } from './dom.js';
import { Explainer } from './explain.js';
import { Files, titleOf } from './files.js';
import { newGame, UNNAMED } from './game.js';
import { GamePanel } from './gamepanel.js';
import { Moves } from './moves.js';
import { Openings } from './openings.js';
import { Play } from './play.js';
import { PlayActions } from './playactions.js';
import { PlayPanel } from './playpanel.js';
import { Players } from './players.js';
import { Puzzles } from './puzzles.js';
import { Referee } from './referee.js';
import { Restore } from './restore.js';
import { USUAL_SIZE } from './rules.js';
import { Session } from './session.js';
import { Settings } from './settings.js';
import { Setup } from './setup.js';
import { Share } from './share.js';
import { Stage } from './stage.js';
import { Tabs } from './tabs.js';

/** @import { Facts, Welcome } from './schema.js' */
/** @import { Game, Node } from './game.js' */
/** @import { What } from './session.js' */

export class App {
    /** @type {Welcome | null} */
    welcome = null;

    constructor() {
        const token = new URLSearchParams(location.search).get('token');
        this.settings = new Settings();
        this.connection = new Connection(`ws://${location.host}/socket${token ? `?token=${token}` : ''}`);
        this.session = new Session(newGame(USUAL_SIZE, 'renju'));
        this.referee = new Referee(this.session, this.connection);
        this.board = new Board(byId('board'));
        this.stage = new Stage(this.board, this.session, this.referee, this.settings);
        this.tabs = new Tabs(this.settings);
        this.address = new Address(this);
        this.files = new Files(this);
        this.share = new Share(this);
        this.setup = new Setup(this);
        this.moves = new Moves(this);
        this.advice = new Advice(this);
        this.explainer = new Explainer(this);
        this.play = new Play(this);
        this.playActions = new PlayActions(this, this.play);
        this.playPanel = new PlayPanel(this, this.play, this.playActions);
        this.players = new Players(this.session, this.play);
        this.analysis = new Analysis(this);
        this.gamePanel = new GamePanel(this);
        this.openings = new Openings(this);
        this.puzzles = new Puzzles(this);
        this.restore = new Restore(this);
        this.controls = new Controls(this);
        this.#listen();
        this.restore.game();
        this.#changed('game');
        this.tabs.restore();
        this.connection.connect();
        if (token) this.address.hideToken();
    }

    #listen() {
        this.session.watch((what) => this.#changed(what));
        this.referee.onfacts = (facts) => this.#judged(facts);
        this.referee.onerror = (text) => this.say(text);
        this.board.onplay = (point, isKey) => this.moves.click(point, isKey);
        this.board.onask = (point) => {
            if (this.setup.draft) this.say('no point is explained in a set-up');
            else void this.explainer.show(point);
        };
        this.board.onsay = (text) => (byId('spoken').textContent = text);
        this.play.onchange = (facts) => this.#played(facts);
        this.play.ontick = () => this.players.show();
        this.tabs.onshow = (name) => this.#shown(name);
        this.connection.onstate = (isConnected) => this.#connected(isConnected);
        this.connection.onwelcome = (welcome) => this.#welcomed(welcome);
        this.connection.onrefusal = (text) => this.say(`the program refused a message: ${text}`);
    }

    /** Facts of the position on the board, if they are known. */
    get facts() {
        return this.referee.facts;
    }

    /** @param {string} text */
    say(text) {
        announce(text);
    }

    /**
     * Says what is wrong.
     * @param {unknown} error
     * @param {string} [about] comes before it
     */
    complain(error, about = '') {
        this.say(about + /** @type {Error} */ (error).message);
    }

    /** Whether the game on the board is over; then says so. */
    isOver() {
        const ended = this.facts?.ended;
        if (ended) this.say(`the game is over: ${ended.text}`);
        return Boolean(ended);
    }

    saveLater() {
        this.restore.store.later();
    }

    // The game in progress, which has the board.

    /**
     * Asks whether a set-up and a game that are going on may be left, before another game takes the board.
     * @param {Game} [game] the other one, if it is known; a set-up makes way for its own
     * @returns {Promise<boolean>} also `true` if there is none, or none that has a move
     */
    async mayLeave(game) {
        const { setup } = this;
        if (setup.draft?.game !== game && !(await setup.mayEnd())) return false;
        if (!this.play.isOn || !this.play.tip?.parent) return true;
        return confirm('Leave the game', 'A game is going on. It stays in the undo list.', 'Leave it');
    }

    /** Leaves a game, a puzzle or a set-up that has the board. */
    leave() {
        this.setup.end();
        this.play.leave();
        this.puzzles.leave();
    }

    /**
     * Puts another game on the board, unless the user stays with one that is going on.
     * @param {string} label of the change
     * @param {Game} game
     * @param {Node} [node] where it stands
     * @returns {Promise<boolean>} whether it is on the board
     */
    async put(label, game, node) {
        if (!(await this.mayLeave(game))) return false;
        this.leave();
        this.session.replace(label, game, node);
        return true;
    }

    // Handlers of the events that the parts report.

    /** @param {What} what */
    #changed(what) {
        this.referee.changed(what);
        if (what !== 'move') {
            this.play.treeChanged();
            this.puzzles.treeChanged();
        }
        this.advice.changed(what === 'game');
        this.explainer.close();
        this.board.endHint();
        this.stage.draw();
        this.players.show();
        this.gamePanel.changed(what);
        this.controls.update();
        if (what === 'game') {
            this.#entitle();
            this.files.mark();
            this.analysis.proof.close();
            this.analysis.restart();
        } else this.analysis.moved();
        void this.openings.moved();
        this.saveLater();
        void this.referee.refresh();
    }

    /** Names the game in the title, which tells the tabs of a browser apart. */
    #entitle() {
        const title = titleOf(this.session.game);
        document.title = title === UNNAMED ? 'kagetsu' : `${title} · kagetsu`;
    }

    /** @param {Facts} facts of the position on the board */
    #judged(facts) {
        this.address.follow(facts);
        this.stage.draw();
    }

    /** The engine has said something new about the position on the board. */
    studied() {
        this.gamePanel.valued();
        this.stage.balance();
    }

    /** @param {Facts | null} facts of the position of the match */
    #played(facts) {
        this.players.show();
        this.gamePanel.lock(this.play.isOn);
        this.playPanel.show(facts);
    }

    /** @param {string} panel */
    #shown(panel) {
        if (panel !== 'analysis') this.analysis.proof.close();
        if (panel === 'game') this.gamePanel.changed('game');
        else this.gamePanel.endMarks();
        this.openings.setVisible(panel === 'openings' && this.connection.isOpen);
        if (panel === 'puzzles') void this.puzzles.show();
    }

    /** @param {Welcome} welcome */
    #welcomed(welcome) {
        const isFirst = this.welcome === null;
        this.welcome = welcome;
        this.playPanel.setRegulations(welcome.regulations);
        byId('program').textContent = `kagetsu ${welcome.program}`;
        if (isFirst) void this.restore.begin(welcome);
        void this.referee.refresh();
        this.analysis.restart();
        this.openings.setVisible(this.tabs.shown === 'openings');
        if (this.tabs.shown === 'puzzles') void this.puzzles.show();
    }

    /** @param {boolean} isConnected */
    #connected(isConnected) {
        document.body.classList.toggle('offline', !isConnected);
        const text = isConnected
            ? ''
            : 'The program does not answer. The game is kept. If it was restarted, open the address that it printed.';
        // Every attempt to connect fails: a screen reader is to say so once.
        write(byId('connection'), text);
    }
}

/** For tests in a browser, and for whoever looks under the bonnet. */
Object.assign(window, { kagetsu: new App() });
