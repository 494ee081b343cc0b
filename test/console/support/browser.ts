import { createHash, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * Usual paths of Chromium. Its headless shell has the same engine without the window of a browser, and takes two thirds
 * of the CPU time.
 */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** Path of the browser for the tests: `CONSOLE_BROWSER` or one of the usual paths; undefined if there is none. */
export const BROWSER = [process.env.CONSOLE_BROWSER, ...PLACES].find((path) => path !== undefined && existsSync(path));

/**
 * @param trusted certificate of a server, PEM: the browser caches what the server sends, and its compiled scripts. It
 * caches nothing from a server whose certificate errors it only ignores
 * @throws if there is no browser: check `BROWSER` first
 */
export function openBrowser(trusted?: string): Promise<Browser> {
  if (BROWSER === undefined) throw new Error('there is no browser');
  // Chromium refuses to start its sandbox as root.
  const isRoot = process.getuid?.() === 0;
  const args = [
    ...(isRoot ? ['--no-sandbox'] : []),
    ...(trusted === undefined ? [] : [`--ignore-certificate-errors-spki-list=${keyHash(trusted)}`]),
  ];
  return chromium.launch({ executablePath: BROWSER, args });
}

function keyHash(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}
