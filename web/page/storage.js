// Accesses to what the browser keeps. A browser that keeps no site data throws at every one of them.

/**
 * Makes an access to the browser's storage.
 * @template T
 * @param {() => T} access
 * @returns {T | null} `null` if the browser refuses it
 */
export function attempt(access) {
    try {
        return access();
    } catch {
        return null;
    }
}
