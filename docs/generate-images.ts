/**
 * Takes screenshots of the demo for docs/images/ in a browser: `npm run images`. Needs `tofu` or `terraform` on the PATH, because one
 * shows a run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { buildConsole } from '../build/console-build.ts';
import { openBrowser } from '../test/console/support/browser.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = `${ROOT}docs/images`;
const PLANNED_MS = 120_000;

interface Demo {
  readonly console_address: string;
  readonly root_token: string;
  readonly user_token: string;
  readonly client_cert_file: string;
}

interface Picture {
  readonly name: string;
  readonly place: string;
  /** Prepares the page before the screenshot. */
  readonly prepare?: (page: Page) => Promise<void>;
}

function picturesOf(run: string, states: readonly string[], revoked: string): readonly Picture[] {
  const [now = '', before = ''] = states;
  const inspect = async (page: Page) => {
    await page.getByLabel('Certificates', { exact: true }).fill(revoked);
    await page.getByRole('button', { name: 'Inspect', exact: true }).click();
    await page.getByText('not accept it').waitFor();
  };
  return [
    { name: 'overview', place: '/~overview' },
    { name: 'workspaces', place: '/demo/workspaces' },
    { name: 'workspace', place: '/demo/workspaces/network-production' },
    { name: 'run', place: `/demo/workspaces/hello/runs/${run}` },
    { name: 'states', place: `/demo/workspaces/network-production/states?from=${before}&to=${now}` },
    { name: 'resources', place: '/demo/workspaces/network-production/resources?view=graph' },
    { name: 'inspect', place: '/~access/inspect', prepare: inspect },
    { name: 'revocation-lists', place: '/~access/revocation-lists' },
    {
      name: 'policy',
      place: '/~access/policies/explain?path=auth/cert/certs/runner&capability=update&with=operators',
    },
  ];
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Continue with the token' }).click();
  await page.locator('#places').waitFor();
}

/** Sends an API request with the session of the page. */
function read(page: Page, path: string): Promise<{ readonly data: never }> {
  const headers = JSON.stringify({ 'x-lockkeeper-console': '1' });
  return page.evaluate(`fetch('${path}', { headers: ${headers} }).then((answer) => answer.json())`);
}

async function plannedRun(page: Page): Promise<string> {
  const { data } = await read(page, '/api/v2/organizations/demo/workspaces/hello');
  const run = (data as { relationships: { 'current-run': { data: { id: string } } } }).relationships['current-run']
    .data;
  for (const end = Date.now() + PLANNED_MS; Date.now() < end; ) {
    const { data: now } = await read(page, `/api/v2/runs/${run.id}`);
    if ((now as { attributes: { status: string } }).attributes.status === 'planned') return run.id;
    await page.waitForTimeout(500);
  }
  throw new Error('The run of the demo was not planned in time');
}

async function stateVersions(page: Page): Promise<string[]> {
  const filter = 'filter[organization][name]=demo&filter[workspace][name]=network-production';
  const { data } = await read(page, `/api/v2/state-versions?${filter}`);
  return (data as { id: string }[]).map(({ id }) => id);
}

async function take(page: Page, address: string, { name, place, prepare }: Picture): Promise<void> {
  await page.goto(`${address}${place}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await prepare?.(page);
  await page.locator('#main [aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: `${IMAGES}/${name}.png` });
  console.error(`docs/images/${name}.png`);
}

async function takeAll(demo: Demo): Promise<void> {
  const browser = await openBrowser();
  try {
    const options = {
      ignoreHTTPSErrors: true,
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    } as const;
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(`${demo.console_address}/~organizations`);
    await signIn(page, demo.user_token);
    await page.goto(`${demo.console_address}/~sign-in?side=access&to=/~organizations`);
    await signIn(page, demo.root_token);
    const revoked = readFileSync(demo.client_cert_file.replace('client.pem', 'client-revoked.pem'), 'utf8');
    const pictures = picturesOf(await plannedRun(page), await stateVersions(page), revoked);
    for (const picture of pictures) await take(page, demo.console_address, picture);
  } finally {
    await browser.close();
  }
}

await buildConsole();
mkdirSync(IMAGES, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-images-'));
const args = ['src/main.ts', 'dev', '--data', folder, '--listen', '127.0.0.1:0', '--format', 'json'];
const server = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  await takeAll(JSON.parse(line) as Demo);
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(folder, { recursive: true });
}
