import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { barriers, bench, describeConsole, makeWorkspace } from './support/console.ts';

const ask = (page: Page, text: string) => page.getByRole('combobox', { name: 'Search or run a command' }).fill(text);

/** Waits until this option is the one that Enter selects. */
const chosen = (page: Page, name: string) =>
  page
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .and(page.locator('[data-active-item]'))
    .waitFor();

describeConsole('the palette', () => {
  const on = bench();

  it('opens with its keys, finds a workspace by parts of its name, and opens it', async () => {
    await makeWorkspace(on(), 'network-prod');
    await makeWorkspace(on(), 'network-staging');
    const page = await on().openAs(on().server.userToken, '/~organizations');
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search or run a command' });
    await expect
      .poll(() => page.evaluate('document.activeElement?.role || document.activeElement?.getAttribute("role")'))
      .toBe('combobox');
    await page.keyboard.type('net prod');
    await dialog.getByRole('option', { name: /^network-prod/ }).waitFor();
    await chosen(page, 'network-prod');
    await dialog.getByRole('option', { name: /^network-staging/ }).waitFor({ state: 'detached' });
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/acme/workspaces/network-prod');
    await dialog.waitFor({ state: 'detached' });
  });

  it('offers actions on the first result, and says why one is unavailable', async () => {
    const id = await makeWorkspace(on(), 'shop-prod');
    await on().server.user('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason: 'a reason' });
    const page = await on().openAs(on().server.userToken, '/~organizations');
    await page.getByRole('button', { name: 'Search or run a command' }).click();
    await ask(page, 'shop-prod');
    const lock = page.getByRole('option', { name: /^Lock…/ });
    await lock.getByText('held by first').waitFor();
    expect(await lock.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('option', { name: /^Lock history/ }).click();
    await page.waitForURL('**/app/acme/workspaces/shop-prod/lock-history');
  });

  it('remembers only the names of visited pages, until the user signs out', async () => {
    await makeWorkspace(on(), 'remembered');
    const page = await on().openAs(on().server.userToken, '/~organizations');
    await page.getByRole('button', { name: 'Search or run a command' }).click();
    await ask(page, 'remembered');
    await page.getByRole('option', { name: /^remembered/ }).click();
    await page.waitForURL('**/app/acme/workspaces/remembered');
    await page.reload();
    await page.getByRole('heading', { name: 'remembered', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page
      .getByRole('group', { name: 'Recent' })
      .getByRole('option', { name: /^remembered/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/~sign-in/);
    expect(await page.evaluate('localStorage.getItem("recent")')).toBeNull();
  });

  it('finds roles and policies of the access API, and pages by their name', async () => {
    const page = await on().openBoth();
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await ask(page, 'my tok');
    await chosen(page, 'My token');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/~access/token');
  });

  it('names results that need another token, and shows an empty state', async () => {
    const page = await on().openAs(on().server.userToken, '/~organizations');
    await page.getByRole('button', { name: 'Search or run a command' }).click();
    const option = page.getByRole('option', { name: /^My token/ });
    await option.getByText('needs a token of the access API').waitFor();
    expect(await option.getAttribute('aria-disabled')).toBe('true');
    await ask(page, 'nothing is called so');
    await page.getByText('No results.').waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});
