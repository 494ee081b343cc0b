import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian and others put it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of the tests: `CONSOLE_BROWSER` or one of the usual places; undefined where there is none. */
export const BROWSER = [process.env.CONSOLE_BROWSER, ...PLACES].find((path) => path !== undefined && existsSync(path));

/** @throws where there is none: ask `BROWSER` first */
export function openBrowser(): Promise<Browser> {
  if (BROWSER === undefined) throw new Error('there is no browser');
  // As root Chromium has no sandbox of its own.
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: BROWSER, args: isRoot ? ['--no-sandbox'] : [] });
}
