import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { archive } from '../support/samples/archive.ts';
import { colleague } from './support/colleague.ts';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';
import { resource, stateText, writeState } from './support/states.ts';

const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(2)>';
const MEGABYTE = 1_048_576;

describeConsole('states of a workspace', () => {
  const on = bench();
  const openAt = (place: string) => on().openAs(on().server.userToken, `/acme/workspaces/${place}`);

  /** Creates a file to upload; the test deletes it at its end. */
  async function fileOf(name: string, content: string | Buffer): Promise<string> {
    const path = join(tmpdir(), `${process.pid}-${name}`);
    await writeFile(path, content);
    onTestFinished(() => rm(path, { force: true }));
    return path;
  }

  async function lock(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Lock…' }).click();
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await page.getByText('Locked by first').waitFor();
  }

  async function upload(page: Page, file: string): Promise<void> {
    await page.getByRole('button', { name: 'Upload state…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('File').setInputFiles(file);
    await dialog.getByText('MD5').waitFor();
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  }

  it('can be uploaded, compared with their values, and rolled back', async () => {
    await makeWorkspace(on(), 'grown');
    const page = await openAt('grown/states');
    await page.getByRole('heading', { name: 'No state yet' }).waitFor();
    const button = page.getByRole('button', { name: 'Upload state…' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('Lock the workspace first').waitFor();
    await lock(page);

    const secret = { sensitive_attributes: [[{ type: 'get_attr', value: 'password' }]] };
    const database = (size: number, password: string) => resource('aws_db.main', { size, password }, secret);
    const first = stateText({
      serial: 1,
      resources: [database(10, 'hunter-1'), resource('aws_vpc.old', { id: 'v' })],
      outputs: { [SCRIPT]: { value: SCRIPT, type: 'string' } },
    });
    await upload(page, await fileOf('first.tfstate', first));
    await page.getByRole('heading', { name: 'The first state, 1' }).waitFor();
    await page.getByText(SCRIPT).first().waitFor();

    const second = stateText({
      serial: 2,
      resources: [database(20, 'hunter-2'), resource(`module.m.aws_vpc.${SCRIPT.replaceAll('.', '')}`, { id: 'w' })],
    });
    await upload(page, await fileOf('second.tfstate', second));
    await page.getByRole('heading', { name: 'From 1 to 2' }).waitFor();
    const compared = page.getByRole('region', { name: 'From 1 to 2' });
    await compared.getByText('1 added').waitFor();
    await compared.getByText('1 removed').waitFor();
    await compared.getByRole('button', { name: 'changed aws_db.main' }).click();
    await compared.getByText('sensitive: hidden').waitFor();
    expect(await compared.getByRole('definition').filter({ hasText: 'before: 10' }).innerText()).toContain('20');
    expect(await page.content()).not.toContain('hunter');
    // The URL of the page opens the same resource.
    expect(new URL(page.url()).searchParams.get('resource')).toBe('aws_db.main');
    await page.reload();
    await compared.getByText('sensitive: hidden').waitFor();
    await compared.getByRole('button', { name: 'changed aws_db.main', expanded: true }).click();
    await compared.getByText('sensitive: hidden').waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('resource=');

    await page.getByRole('button', { name: 'Roll back to 1…' }).click();
    await page.getByRole('dialog', { name: 'Roll back to 1' }).getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('heading', { name: 'From 2 to 3' }).waitFor();
    await page.getByText('rollback to 1').waitFor();
  });

  it('have URLs, for one version and for the compared pair; old data is deleted and restored', async () => {
    const id = await makeWorkspace(on(), 'addressed');
    const versions: string[] = [];
    for (const serial of [1, 2, 3]) {
      versions.push(await writeState(on(), id, stateText({ serial, resources: [resource(`t.n${serial}`, {})] })));
    }
    const page = await openAt(`addressed/states?from=${versions[0]}&to=${versions[2]}`);
    await page.getByRole('heading', { name: 'From 1 to 3' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'From 1 to 2' }).waitFor();
    expect(page.url()).toContain(`to=${versions[1]}`);
    await page.reload();
    await page.getByRole('heading', { name: 'From 1 to 2' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download 2' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('addressed-2.tfstate');

    await page.getByRole('link', { name: '1', exact: true }).click();
    await page.getByRole('heading', { name: 'State 1' }).waitFor();
    expect(page.url()).toContain(`/states/${versions[0]}`);
    await page.getByRole('button', { name: 'Delete data…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete data', exact: true }).click();
    await page.getByText('deleted, can be restored').first().waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: 'Compare' }).waitFor();
  });

  it('show an error and no buttons to a user without permission', async () => {
    const id = await makeWorkspace(on(), 'closed');
    await writeState(on(), id, stateText({ serial: 1, outputs: { o: { value: 1, type: 'number' } } }));
    const access = { runs: 'read', variables: 'none', 'state-versions': 'none', 'sentinel-mocks': 'none' };
    const token = await colleague(on(), 'nosy', id, 'custom', access);
    const page = await on().openAs(token, '/acme/workspaces/closed/states');
    for (const [tab, what, missing] of [
      ['States', 'States', 'can-read-state-versions'],
      ['Resources', 'The resources', 'can-read-state-versions'],
      ['Outputs', 'The outputs', 'can-read-state-outputs'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Parts of closed' }).getByRole('link', { name: tab }).click();
      await page.getByRole('heading', { name: `${what}: not found, or no access` }).waitFor();
      await page.getByText(missing).waitFor();
      expect(await page.getByRole('button', { name: /Upload|Roll back/ }).count()).toBe(0);
    }
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('404')),
    ).toBe(true);
  });

  it('show their resources, graph, graph changes and outputs, with any names', async () => {
    const id = await makeWorkspace(on(), 'hostile');
    const needs = (...dependencies: string[]) => ({ dependencies });
    const vpc = resource('aws_vpc.main', { id: 'v' });
    const first = await writeState(
      on(),
      id,
      stateText({ serial: 1, resources: [vpc, resource('aws_subnet.gone', {}, needs('aws_vpc.main'))] }),
    );
    const outputs = {
      secret: { value: 's3cret', type: 'string', sensitive: true },
      [SCRIPT]: { value: { [SCRIPT]: [SCRIPT] }, type: ['object', {}] },
    };
    const hostile = resource('module.net["<b>"].aws_subnet.<script>', {}, needs('aws_vpc.main'));
    await writeState(on(), id, stateText({ serial: 2, resources: [vpc, hostile], outputs }));

    const page = await openAt('hostile/resources');
    await page.getByRole('button', { name: 'net["<b>"].aws_subnet.<script>' }).click();
    await page.getByRole('dialog').getByText('aws_vpc.main').waitFor();
    await page.reload();
    await page.getByRole('dialog').getByText('aws_vpc.main').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('resource=');
    await page.getByLabel('Search in addresses').fill('vpc');
    await page.getByText('1 resource found').waitFor();
    expect(page.url()).toContain('q=vpc');
    await page.goto(`/app/acme/workspaces/hostile/resources?view=graph&since=${first}`);
    const graph = page.getByRole('group', { name: /^Changes since state 1/ });
    await graph.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('status').filter({ hasText: 'Depends on aws_vpc.main' }).waitFor();
    await page.getByText('Show as table').click();
    await page.getByRole('row', { name: 'aws_subnet.gone removed aws_vpc.main' }).waitFor();
    await page.getByRole('row', { name: 'module.net.aws_subnet.<script> added aws_vpc.main' }).waitFor();

    await page.getByRole('navigation', { name: 'Parts of hostile' }).getByRole('link', { name: 'Outputs' }).click();
    await page.getByText(SCRIPT).first().waitFor();
    expect(await page.content()).not.toContain('s3cret');
    await page.getByRole('button', { name: 'Show secret' }).click();
    await page.getByText('s3cret').waitFor();
    await page.getByRole('button', { name: 'Hide secret' }).click();
    await page.getByText('s3cret').waitFor({ state: 'detached' });
  });

  it('a worker thread lays out a large graph', async () => {
    const id = await makeWorkspace(on(), 'wide');
    const resources = Array.from({ length: 400 }, (_, at) =>
      resource(
        `module.m${at % 9}.t.n${at}`,
        {},
        { dependencies: at > 0 ? [`module.m${(at >> 1) % 9}.t.n${at >> 1}`] : [] },
      ),
    );
    await writeState(on(), id, stateText({ serial: 1, resources }));
    const page = await openAt('wide/resources?view=graph');
    const graph = page.getByRole('group', { name: /^Resources of wide/ });
    await graph.waitFor();
    expect(await graph.locator('title').count()).toBe(400);
    await graph.getByText('t.n399', { exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Depends on module.m1.t.n199; used by nothing' }).waitFor();
  });

  it('of 50 MB and 10,000 resources can be listed, compared and searched, but not drawn', async () => {
    const id = await makeWorkspace(on(), 'huge');
    await on().server.user('POST', `/api/v2/workspaces/${id}/actions/lock`, {});
    const text = (serial: number) =>
      stateText({
        serial,
        resources: Array.from({ length: 10_000 }, (_, at) =>
          resource(`module.m${at % 50}.t.n${at}`, {
            id: at,
            data: `${at === 9_999 ? serial : ''}${'v'.repeat(5_000)}`,
          }),
        ),
      });
    const page = await openAt('huge/states');
    for (const serial of [1, 2]) {
      await upload(page, await fileOf(`huge-${serial}.tfstate`, text(serial)));
      await page.getByRole('dialog').waitFor({ state: 'detached', timeout: 60_000 });
    }
    await page.getByRole('heading', { name: 'From 1 to 2' }).waitFor();
    await page.getByText('1 changed').waitFor();
    // The page stays responsive while the worker reads both files.
    await page.getByRole('button', { name: 'changed module.m49.t.n9999' }).click();
    await page.getByText('Reading both files…').waitFor();
    expect(await page.evaluate('1 + 1')).toBe(2);
    await page.getByText(/^before: "1vvv/).waitFor({ timeout: 60_000 });

    await page.getByRole('link', { name: 'Resources' }).click();
    await page.getByRole('button', { name: /^m7 \d/ }).click();
    await page.getByText('200 resources found').waitFor();
    await page.getByLabel('Search in addresses').fill('n10');
    await page.getByText('3 resources found').waitFor();
    await page.goto('/app/acme/workspaces/huge/resources');
    await page.getByRole('table', { name: 'Resources: 10,000' }).waitFor();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.getByRole('button', { name: 'm49.t.n9999' }).waitFor();
    expect(await page.locator('*').count()).toBeLessThan(1_000);
    await page.getByRole('link', { name: 'Graph' }).click();
    await page.getByText('too many resources').waitFor();
  }, 180_000);

  it('a canceled upload is not stored', async () => {
    const id = await makeWorkspace(on(), 'cancelled');
    const page = await openAt('cancelled/states');
    await lock(page);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Network.enable');
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: MEGABYTE };
    await cdp.send('Network.emulateNetworkConditions', slow);
    const file = await fileOf(
      'slow.tfstate',
      stateText({ serial: 1, outputs: { o: { value: 'v'.repeat(30 * MEGABYTE) } } }),
    );
    await upload(page, file);
    const bar = page.getByRole('progressbar');
    await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Cancel upload' }).click();
    await page.getByText('Canceled: nothing was uploaded.').waitFor();
    const current = await on().server.user('GET', `/api/v2/workspaces/${id}/current-state-version`);
    expect(current.status).toBe(404);
    const query = 'filter[organization][name]=acme&filter[workspace][name]=cancelled&filter[status]=finalized';
    expect((await on().server.user('GET', `/api/v2/state-versions?${query}`)).body.data).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('waiting for upload').waitFor();
    on().complaints.splice(0);
  });

  it('a configuration is uploaded, listed with its purpose, and downloaded', async () => {
    await makeWorkspace(on(), 'configured');
    const page = await openAt('configured/configurations');
    await page.getByRole('button', { name: 'Upload a configuration…' }).click();
    await page.getByLabel('Archive').setInputFiles(await fileOf('configuration.tar.gz', archive()));
    await page.getByLabel('Start a run after the upload').uncheck();
    await page.getByLabel('Provisional').check();
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText('provisional until').waitFor();
    await page.getByText('uploaded', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download cv-/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^cv-.*\.tar\.gz$/);
  });
});
