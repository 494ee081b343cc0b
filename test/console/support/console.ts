import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { Dialect } from '../../../src/storage/index.ts';
import { databaseKinds } from '../../support/databases.ts';
import { createRoot } from '../../support/pki.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/server.ts';
import { BROWSER, openBrowser } from './browser.ts';
import { NESTING } from './nesting.ts';

/** Rules that every page must pass: WCAG 2.2 A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

if (BROWSER === undefined) {
  if (process.env.CI)
    throw new Error('the console is tested in a browser: install chromium-headless-shell, or set CONSOLE_BROWSER');
  console.log('skipped: no browser (install chromium-headless-shell, or set CONSOLE_BROWSER)');
}

/** Like `describe`; skips the tests if there is no browser. */
export const describeConsole = describe.skipIf(BROWSER === undefined);

/** Minified axe: each page that loads parses it again. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** A server with an organization `acme`, a browser, and the errors that its pages log. */
export class Bench {
  readonly server: TestServer;
  readonly browser: Browser;
  /** CA that the role `people` accepts. */
  readonly clients = createRoot({ subject: 'Clients' });
  /** Policy violations, script errors and browser console messages. A test fails if any remain. */
  readonly complaints: string[] = [];
  readonly #contexts: BrowserContext[] = [];

  constructor(server: TestServer, browser: Browser) {
    this.server = server;
    this.browser = browser;
  }

  /** Opens a window without a session. */
  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.server.address,
      ignoreHTTPSErrors: true,
      viewport: { width: 1440, height: 900 },
      ...options,
    });
    this.#contexts.push(context);
    context.setDefaultTimeout(15_000);
    await context.addInitScript(NESTING);
    const page = await context.newPage();
    this.watch(page);
    return page;
  }

  watch(page: Page): void {
    const note = (text: string) => void this.complaints.push(text);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) note(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => note(`thrown: ${error.message}`));
  }

  /** Opens a window of the first user, at a path below `/app`. */
  async openAs(token: string, place = '/acme/workspaces', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(options);
    await page.goto(`/app${place}`);
    await signIn(page, token);
    return page;
  }

  /** Opens a window with a token of each API: the first user and root. */
  async openBoth(place = '/~organizations', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.openAs(this.server.userToken, '/~organizations', options);
    await page.goto(`/app/~sign-in?side=access&to=${encodeURIComponent(place)}`);
    await signIn(page, this.server.rootToken);
    return page;
  }

  async closeWindows(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Continue with the token' }).click();
  // Narrow windows hide the navigation.
  await page.locator('#places').waitFor({ state: 'attached' });
}

/**
 * Creates the bench of a test file before its tests.
 * @param isCached whether the browser may cache the files of the console, for tests that load many pages
 * @returns a function that returns it
 */
export function bench(
  kind: Dialect = databaseKinds[0] ?? 'sqlite',
  options: TestServerOptions = {},
  isCached = false,
): () => Bench {
  let made: Bench | undefined;
  beforeAll(async () => {
    const server = await startTestServer(kind, { services: ['access', 'workspaces', 'console'], ...options });
    const certificate = isCached ? readFileSync(join(server.folder, 'server.pem'), 'utf8') : undefined;
    made = new Bench(server, await openBrowser(certificate));
    await server.root('POST', '/v1/auth/cert/certs/people', { certificate: made.clients.pem, token_ttl: '1h' });
    await server.user('POST', '/api/v2/organizations', {
      data: { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } },
    });
  });
  afterEach(async () => {
    const complaints = made?.complaints.splice(0);
    await made?.closeWindows();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await made?.browser.close();
    await made?.server.stop();
  });
  return () => {
    if (!made) throw new Error('the bench is only available inside tests');
    return made;
  };
}

/** A group of pages for the test that visits every page. */
export interface PageGroup {
  readonly name: string;
  /** Creates their data over the APIs. @returns their paths below `/app` */
  readonly prepare: (on: Bench) => Promise<readonly string[]>;
}

/** Creates a workspace. @returns its id */
export async function makeWorkspace({ server }: Bench, name: string, tags: readonly string[] = []): Promise<string> {
  const relationships = { tags: { data: tags.map((tag) => ({ type: 'tags', attributes: { name: tag } })) } };
  const { status, body } = await server.user('POST', '/api/v2/organizations/acme/workspaces', {
    data: { type: 'workspaces', attributes: { name }, relationships },
  });
  expect(status).toBe(201);
  return body.data.id;
}

/** Waits until all data is loaded. The network never becomes idle: an open page follows the event stream. */
export async function settled(page: Page): Promise<void> {
  // This page shows loading states that never end.
  if (page.url().endsWith('/~components')) return;
  await expect.poll(() => page.locator('#main [aria-busy=true]').count(), { timeout: 15_000 }).toBe(0);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Rules to check: all, all except colors (half the time), or only colors. */
export type Looks = 'all' | 'shapes' | 'colors';
const COLORS = ['color-contrast', 'link-in-text-block'];
const withoutColors = { rules: Object.fromEntries(COLORS.map((rule) => [rule, { enabled: false }])) };

/** Returns the accessibility violations: the rule and the element of each. */
export async function barriers(page: Page, looks: Looks = 'all'): Promise<string[]> {
  // `evaluate` runs over the debugger; the content security policy would block a script tag.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE);
  const options = {
    runOnly: looks === 'colors' ? { type: 'rule', values: COLORS } : { type: 'tag', values: RULES },
    ...(looks === 'shapes' && withoutColors),
    resultTypes: ['violations'],
    preload: false,
  };
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
