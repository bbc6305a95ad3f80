// The program, started for a test.

import { spawn } from 'node:child_process';

const program = process.env.KAGETSU ?? '../target/release/kagetsu';

/**
 * Starts the program and reads its address; it opens a browser only where the environment says which by its PATH.
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
export async function serve(args = [], env = {}) {
    const opened = 'PATH' in env ? [] : ['--no-open'];
    const child = spawn(program, ['web', ...opened, '--port', '0', '--threads', '1', '--hash', '32M', ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...env },
    });
    const link = await new Promise((resolve, reject) => {
        child.stdout.once('data', (data) => resolve(String(data).trim()));
        child.once('exit', (code) => reject(new Error(`the program ended with ${code}`)));
    });
    return { link: String(link), stop: () => child.kill() };
}
