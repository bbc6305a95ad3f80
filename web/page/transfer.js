// The content of files: read from the user's, handed over as downloads.

import { el } from './dom.js';

/** Bytes of a file that the page sends to the program. */
const LARGEST = 10_000_000;
/** Characters that some system forbids in the name of a file. */
const FORBIDDEN = /[\\/:*?"<>|]+/g;

/**
 * The content of a file in base64.
 * @param {File} file
 * @returns {Promise<string>}
 */
export async function contentOf(file) {
    if (file.size > LARGEST) {
        throw new Error(`it has more than ${LARGEST / 1e6} MB; larger files are for kagetsu convert`);
    }
    const reader = new FileReader();
    const address = await new Promise((resolve, reject) => {
        reader.onload = () => resolve(String(reader.result));
        // A folder, or a file that is gone or may not be read.
        reader.onerror = () => reject(new Error(`it cannot be read: ${reader.error?.message}`));
        reader.readAsDataURL(file);
    });
    return address.slice(address.indexOf(',') + 1);
}

/** @param {string} data in base64 */
export function bytesOf(data) {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}

/**
 * Hands a file to the browser, which saves it where it saves downloads.
 * @param {string} name without its extension
 * @param {{ extension: string, mime: string, data: string }} file
 * @returns {string} the whole name
 */
export function download(name, { extension, mime, data }) {
    const address = URL.createObjectURL(new Blob([bytesOf(data)], { type: mime }));
    const safe = name.replace(FORBIDDEN, '-').trim() || 'game';
    const link = el('a', { href: address, download: `${safe}.${extension}` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    return link.download;
}

/**
 * A field for one file, which is not seen: a button clicks it.
 * @param {string} label
 * @param {(file: File) => void} open
 */
export function fileInput(label, open) {
    const input = el('input', { type: 'file', hidden: true, 'aria-label': label });
    input.addEventListener('change', () => {
        const file = input.files?.[0];
        if (file) open(file);
        input.value = '';
    });
    return input;
}
