// The present turn of a match. Questions and searches belong to the turn in which they began, and their answers are
// void after it.

export class Turn {
    /** Whether the engine thinks. */
    isThinking = false;
    /** Whether a person may act: the server has said that the game goes on, and what is allowed. */
    isReady = false;
    /** Whether a hint is looked for. */
    isHinted = false;
    #work = new AbortController();
    #began = performance.now();

    /** Ends the searches of this turn. */
    get signal() {
        return this.#work.signal;
    }

    /** Milliseconds since the player to act began to think. */
    get used() {
        return performance.now() - this.#began;
    }

    /**
     * The player to act begins to think.
     * @param {number} used milliseconds of this turn that were used before a reload
     */
    begin(used) {
        this.#began = performance.now() - used;
    }

    /** Another turn comes, and the engine need not work for this one. */
    end() {
        this.#work.abort();
    }
}
