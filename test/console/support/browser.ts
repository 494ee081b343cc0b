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

/** @throws if there is no browser: check `BROWSER` first */
export function openBrowser(): Promise<Browser> {
  if (BROWSER === undefined) throw new Error('there is no browser');
  // Chromium refuses to start its sandbox as root.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: BROWSER, args: isRoot ? ['--no-sandbox'] : [] });
}
