// Places of a game tree's nodes in its picture: a column for each move, a lane for each variation. Pure functions.

/** @import { Node } from './game.js' */

/** @typedef {{ node: Node, column: number, lane: number, parent: Place | null }} Place */

/**
 * The places of all nodes, with the number of columns and lanes. A variation takes the first lane that is free from its
 * branch on to its end, below the line it leaves.
 * @param {Node} root
 * @returns {{ places: Place[], byNode: Map<Node, Place>, columns: number, lanes: number }}
 */
export function layout(root) {
    /** @type {Place[]} */
    const places = [];
    /** @type {Map<Node, Place>} */
    const byNode = new Map();
    /**
     * First taken column of each lane. Lines are placed from the last branch to the first, so the columns ascend from
     * lane to lane.
     * @type {number[]}
     */
    const taken = [];
    let columns = 0;
    /** @type {{ start: Node, from: Place | null }[]} */
    const lines = [{ start: root, from: null }];
    for (let line = lines.pop(); line; line = lines.pop()) {
        const { start, from } = line;
        const chain = [start];
        for (let at = start.children[0]; at; at = at.children[0]) chain.push(at);
        const first = from ? from.column + 1 : 0;
        const last = first + chain.length - 1;
        const above = from?.lane ?? -1;
        const lane = freeLane(taken, above + 1, last + 1);
        taken[lane] = first;
        // The line from the parent crosses the lanes in between, so they are taken from this column on. The loop may
        // stop at the first lane that is taken from an earlier column on: so are all lanes above it.
        for (let i = lane - 1; i > above && taken[i] > first; i--) taken[i] = first;
        columns = Math.max(columns, last + 1);
        let parent = from;
        chain.forEach((node, i) => {
            const place = { node, column: first + i, lane, parent };
            places.push(place);
            byNode.set(node, place);
            parent = place;
            // The branch nearest to the end comes off the stack first.
            for (let k = node.children.length - 1; k > 0; k--) lines.push({ start: node.children[k], from: place });
        });
    }
    return { places, byNode, columns, lanes: taken.length };
}

/**
 * The first lane from one on that is free up to a column, by binary search: a node may have thousands of variations.
 * @param {number[]} taken first taken column of each lane, in ascending order
 * @param {number} from
 * @param {number} column
 */
function freeLane(taken, from, column) {
    let [low, high] = [from, taken.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        if (taken[middle] <= column) low = middle + 1;
        else high = middle;
    }
    return low;
}
