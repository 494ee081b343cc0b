import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';

/** Number of workspaces: more than three pages of the API. */
const MANY = 320;

describeConsole.each(databaseKinds)('the list of workspaces on %s', (kind) => {
  const on = bench(kind);
  beforeAll(async () => {
    for (let at = 0; at < MANY; at++) {
      const tags = at % 10 === 0 ? ['tenth', `t:${at % 3}`] : [];
      await makeWorkspace(on(), `${at % 2 === 0 ? 'network' : 'shop'}-${String(at).padStart(3, '0')}`, tags);
    }
  }, 120_000);

  const names = (page: Page) => page.getByRole('rowheader').allInnerTexts();
  const fits = (page: Page, count: number) => page.getByText(`${count} workspaces found`).waitFor();

  it('shows the workspaces, and loads more while the user scrolls', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/workspaces?sort=name');
    await page.getByText(`${MANY} workspaces in acme`).waitFor();
    await page.getByRole('link', { name: 'network-000' }).waitFor();
    expect((await names(page)).length).toBeLessThan(100);
    await page.mouse.wheel(0, 1_000_000);
    await page.getByRole('link', { name: `shop-${MANY - 1}` }).waitFor();
    expect((await names(page)).length).toBeLessThan(100);
  });

  it('filters by a part of the name, a pattern and tags; the URL contains all filters', async () => {
    const page = await on().openAs(on().server.userToken);
    const filter = page.getByRole('searchbox', { name: 'Filter by name' });
    await filter.fill('shop');
    await fits(page, MANY / 2);
    await filter.fill('network-*2');
    await fits(page, MANY / 10);
    expect(new URL(page.url()).search).toBe('?name=network-*2');
    await filter.fill('');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('menuitem', { name: 'tenth' }).click();
    await fits(page, MANY / 10);
    expect(new URL(page.url()).search).toBe('?tags=tenth');
    await page.reload();
    await fits(page, MANY / 10);
    await page.getByRole('button', { name: 'Remove filter: tag' }).click();
    await page.getByText(`${MANY} workspaces in acme`).waitFor();
  });

  it('shows an empty state if nothing matches, and can show all again', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/workspaces?name=nothing-like-it');
    await page.getByRole('heading', { name: 'No workspaces match' }).waitFor();
    await page.getByRole('button', { name: 'Show all workspaces' }).click();
    await page.getByText(`${MANY} workspaces in acme`).waitFor();
  });

  it('the server sorts the list', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/workspaces?name=shop');
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('link', { name: 'shop-001' }).waitFor();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('link', { name: `shop-${MANY - 1}` }).waitFor();
    expect(new URL(page.url()).search).toBe('?name=shop&sort=-name');
    await page
      .getByRole('columnheader', { name: 'Name', exact: true })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
  });

  it('works with the keyboard only', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/workspaces?sort=name');
    await page.getByRole('link', { name: 'network-000' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('shop-00');
    await fits(page, 5);
    await page.keyboard.press('Escape');
    for (const key of ['j', 'j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL('**/app/acme/workspaces/shop-003');
    const heading = page.getByRole('heading', { name: 'shop-003', level: 1 });
    await heading.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('shop-003');
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.waitForURL('**/app/acme/workspaces');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('next row').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('filters by lock with a count, and shows more columns', async () => {
    const { body } = await on().server.user('GET', '/api/v2/organizations/acme/workspaces/shop-001');
    await on().server.user('POST', `/api/v2/workspaces/${body.data.id}/actions/lock`, { reason: 'maintenance' });
    const page = await on().openAs(on().server.userToken);
    const locked = page.getByRole('button', { name: 'locked 1' });
    await locked.click();
    await page.getByText('1 workspace found').waitFor();
    await page.getByRole('row', { name: 'shop-001' }).getByText('first').waitFor();
    expect(new URL(page.url()).search).toBe('?locked=yes');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'project' }).click();
    await page.getByRole('cell', { name: 'Default Project' }).waitFor();
    expect(new URL(page.url()).search).toBe('?locked=yes&columns=project');
    await page.reload();
    await page.getByRole('cell', { name: 'Default Project' }).waitFor();
    await on().server.user('POST', `/api/v2/workspaces/${body.data.id}/actions/unlock`);
    await page.getByRole('heading', { name: 'No workspaces match' }).waitFor();
  });

  it('executes an action on all selected workspaces, and shows the error of one', async () => {
    const { body } = await on().server.user('GET', '/api/v2/organizations/acme/workspaces/shop-003');
    await on().server.user('POST', `/api/v2/workspaces/${body.data.id}/actions/lock`, { reason: 'mine already' });
    const page = await on().openAs(on().server.userToken, '/acme/workspaces?name=shop-00&sort=name');
    await page.getByRole('link', { name: 'shop-001' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('checkbox', { name: 'Select shop-003' }).check();
    await page.getByText('2 workspaces selected').waitFor();
    await page.getByRole('button', { name: 'Lock…' }).click();
    await page.getByLabel('Reason').fill('both of them');
    await page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true }).click();
    await page.getByText('1 locked, 1 failed').waitFor();
    await page.getByText('The workspace is already locked').waitFor();
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('2 unlocked').waitFor();
    await page.getByRole('button', { name: 'Tag…' }).click();
    await page.getByLabel('Tags').fill('marked twice');
    await page.getByRole('button', { name: 'Add tags' }).click();
    await page.getByText('2 tagged').waitFor();
    await page.getByRole('row', { name: 'shop-003' }).getByText('twice').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByRole('searchbox', { name: 'Filter by name' }).waitFor();
    // The browser logs the refused request.
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('409')),
    ).toBe(true);
  });

  it('creates a workspace, and shows errors beside the field', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/workspaces?name=shop-00');
    await page.getByRole('link', { name: 'New workspace' }).click();
    await page.getByRole('heading', { name: 'New workspace', level: 1 }).waitFor();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('shop-001');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByRole('alert').getByText('already').waitFor();
    await name.fill(`made-on-${kind}`);
    await page.getByLabel('Tags').fill('fresh');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByRole('heading', { name: `made-on-${kind}`, level: 1 }).waitFor();
    await page.getByText('fresh').waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);
    const { body } = await on().server.user('GET', `/api/v2/organizations/acme/workspaces/made-on-${kind}`);
    await on().server.user('DELETE', `/api/v2/workspaces/${body.data.id}`);
  });

  it('copies the request of the page as a command with the same result', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/workspaces?name=shop-00');
    await fits(page, 5);
    const command = await page.getByRole('button', { name: 'Copy as curl' }).getAttribute('title');
    const address = /'(https:[^']+)'/.exec(command ?? '')?.[1] ?? '';
    const { body } = await on().server.user('GET', address.slice(on().server.address.length));
    expect(body.meta.pagination['total-count']).toBe(5);
  });

  it('recovers when the server is available again', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/workspaces?name=shop-00');
    await fits(page, 5);
    await page.context().setOffline(true);
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('shop-01');
    await page.getByText('The server does not answer').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'shop-011' }).waitFor();
    await page.getByText('The server does not answer').waitFor({ state: 'hidden' });
    // The browser logs failed connections itself.
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('ERR_INTERNET_DISCONNECTED')),
    ).toBe(true);
  });
});
