/**
 * Measures the console in a browser: the time until the workspace list appears in a fresh browser with a session, and
 * the cost of scrolling through it. The references are the rendered page as plain HTML and all rows in a plain table,
 * without our scripts. Rounds alternate. Ratios are comparable between machines, absolute values are not.
 *
 * It also measures a run with a log of 16 MB: the time until its first line appears, and scrolling; the reference is
 * the plain text.
 *
 *     npm run bench:console [-- --workspaces 10000 --megabytes 16 --rounds 7 --steps 300]
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../test/console/support/browser.ts';
import { startFilled } from './support/filled.ts';
import { startLongLog } from './support/long-log.ts';
import { median } from './support/measure.ts';
import type { Lockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '10000' },
    megabytes: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '7' },
    steps: { type: 'string', default: '300' },
  },
});
const rounds = Number(values.rounds);
const LIST = '/app/bench/workspaces';

/** A measured page: its path, the selector of a row, and the scrolling element. */
interface Looked {
  readonly address: string;
  readonly row: string;
  /** In the page. */
  readonly scroller: string;
}
const ROW = 'tbody th a';
const PANE = 'section[aria-label="Log of the plan"]';

/** Time from the click on a link to the page, milliseconds. */
interface Arrival {
  /** Time until the first paint. */
  readonly paint: number;
  /** Time until the first row appears. */
  readonly rows: number;
}

/** Time of one scroll step. */
interface Scrolling {
  /** Time that the page blocks its thread, milliseconds. */
  readonly busy: number;
  /** Share of frames that took longer than two frames at 60 Hz. */
  readonly late: number;
}

const browser = await openBrowser();
const options: BrowserContextOptions = { ignoreHTTPSErrors: true, viewport: { width: 1440, height: 900 } };
try {
  await listOfWorkspaces();
  await longLog();
} finally {
  await browser.close();
}

async function listOfWorkspaces(): Promise<void> {
  const count = Number(values.workspaces);
  const { lockkeeper } = await startFilled('sqlite', count, { services: 'access, workspaces, console' });
  const list = { address: addressOf(lockkeeper, LIST), row: ROW, scroller: 'window' };
  const { session, page } = await signedIn(lockkeeper, list);
  const plain = await servePlain(lockkeeper, { '/finished': page, '/rows': allRows(count) });
  try {
    const arrivals = await inTurn(arrive, session, list, { ...list, address: `${plain.address}/finished` });
    const scrolls = await inTurn(scroll, session, list, { ...list, address: `${plain.address}/rows` });
    print('first paint, ms', arrivals, ({ paint }) => paint);
    print('first row, ms', arrivals, ({ rows }) => rows);
    printScrolls(scrolls);
  } finally {
    plain.stop();
    await lockkeeper.stop();
  }
}

async function longLog(): Promise<void> {
  const { lockkeeper, place, text } = await startLongLog(Number(values.megabytes) * 1_000_000);
  const run = {
    ...{ address: addressOf(lockkeeper, place), row: `${PANE} a` },
    scroller: `document.querySelector('${PANE}')`,
  };
  const { session } = await signedIn(lockkeeper, run);
  const plain = await servePlain(lockkeeper, { '/log': `<!doctype html><title>log</title><pre>${text}` });
  try {
    const bare = { address: `${plain.address}/log`, row: 'pre', scroller: 'window' };
    console.log(`a log of ${values.megabytes} MB`);
    print('first line, ms', await inTurn(arrive, session, run, bare), ({ rows }) => rows);
    printScrolls(await inTurn(scroll, session, run, bare));
  } finally {
    plain.stop();
    await lockkeeper.stop();
  }
}

async function inTurn<T>(
  look: (at: Looked, session: State) => Promise<T>,
  session: State,
  ours: Looked,
  plain: Looked,
) {
  const all = { ours: [] as T[], plain: [] as T[] };
  for (let round = 0; round < rounds; round++) {
    all.ours.push(await look(ours, session));
    all.plain.push(await look(plain, session));
  }
  return all;
}

function printScrolls(scrolls: Parameters<typeof print<Scrolling>>[1]): void {
  print('busy for a step of scrolling, ms', scrolls, ({ busy }) => busy);
  print('late frames, %', scrolls, ({ late }) => late * 100);
}

function addressOf({ tls }: Lockkeeper, place: string): string {
  return `https://127.0.0.1:${tls.port}${place}`;
}

type State = NonNullable<BrowserContextOptions['storageState']>;

/** Session cookie, and the rendered page with its styles and without its scripts. */
async function signedIn(lockkeeper: Lockkeeper, at: Looked): Promise<{ session: State; page: string }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(at.address);
  await page.getByLabel('Token', { exact: true }).fill(lockkeeper.show.token);
  await page.getByRole('button', { name: 'Continue with the token' }).click();
  await page.locator(at.row).first().waitFor();
  const text = await page.evaluate<string>(`
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
    const copy = document.documentElement.cloneNode(true);
    for (const one of copy.querySelectorAll('script, link')) one.remove();
    '<!doctype html><style>' + rules.join('') + '</style>' + copy.outerHTML`);
  const session = await context.storageState();
  await context.close();
  return { session, page: text };
}

function allRows(count: number): string {
  const row = (at: number) =>
    `<tr><th><a href="#${at}">workspace-${at}</a></th><td>planned</td><td>nobody</td><td>${at % 50}</td></tr>`;
  return `<!doctype html><title>rows</title><table><tbody>${Array.from({ length: count }, (_, at) => row(at)).join('')}`;
}

async function servePlain({ folder }: Lockkeeper, pages: Readonly<Record<string, string>>) {
  const file = (name: string) => readFileSync(join(folder, name));
  const server = createServer({ cert: file('server.pem'), key: file('server.key') }, ({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(pages[url] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `https://127.0.0.1:${port}`, stop };
}

/** Uses a fresh window with empty caches. */
async function fresh<T>(session: State, then: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ ...options, storageState: session });
  try {
    return await then(await context.newPage());
  } finally {
    await context.close();
  }
}

function arrive({ address, row }: Looked, session: State): Promise<Arrival> {
  return fresh(session, async (page) => {
    // Runs in the page, so that the round trip to it is not measured.
    await page.addInitScript(`new MutationObserver((_, observer) => {
      if (document.querySelector(${JSON.stringify(row)}) === null) return;
      observer.disconnect();
      requestAnimationFrame(() => { window.rowsAt = performance.now(); });
    }).observe(document, { childList: true, subtree: true })`);
    await page.goto(address);
    await page.locator(row).first().waitFor();
    return page.evaluate<Arrival>(`new Promise(requestAnimationFrame).then(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now(),
      rows: window.rowsAt,
    }))`);
  });
}

function scroll({ address, row, scroller }: Looked, session: State): Promise<Scrolling> {
  return fresh(session, async (page) => {
    await page.goto(address);
    await page.locator(row).first().waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const busy = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
    };
    const before = await busy();
    const late = await page.evaluate<number>(`(async () => {
      const scroller = ${scroller};
      let late = 0;
      for (let step = 0, last = performance.now(); step < ${values.steps}; step++) {
        scroller.scrollBy(0, 240);
        const now = await new Promise(requestAnimationFrame);
        if (now - last > 34) late++;
        last = now;
      }
      return late / ${values.steps};
    })()`);
    return { busy: ((await busy()) - before) / Number(values.steps), late };
  });
}

function print<T>(
  name: string,
  of: { readonly ours: readonly T[]; readonly plain: readonly T[] },
  value: (one: T) => number,
) {
  const [mine, theirs] = [median(of.ours.map(value)), median(of.plain.map(value))];
  const ratio = theirs === 0 ? '' : `  ${(mine / theirs).toFixed(2)}x`;
  console.log(`${name.padEnd(36)} ${mine.toFixed(1).padStart(8)}  plain ${theirs.toFixed(1).padStart(8)}${ratio}`);
}
