import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { barriers, bench, describeConsole, makeWorkspace, settled } from '../support/console.ts';

const WIDTHS = [320, 390, 768, 1280];

/** Pixels by which the page is larger than its window. */
const excess = (page: Page) =>
  page.evaluate<{ x: number; y: number }>(
    '({ x: document.documentElement.scrollWidth - innerWidth, y: document.documentElement.scrollHeight - innerHeight })',
  );

const sizeAt = (width: number) => ({ viewport: { width, height: 900 } });

describeConsole('the frame', () => {
  const on = bench();
  const asFirst = (place: string, width = 1280) => on().openAs(on().server.userToken, place, sizeAt(width));

  it('a short page is exactly as high as the window, and never wider', async () => {
    for (const width of WIDTHS) {
      const page = await asFirst('/~organizations', width);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      expect(await excess(page), `${width} pixels`).toEqual({ x: 0, y: 0 });
    }
  });

  it('the sign-in form has space at both sides', async () => {
    for (const width of WIDTHS) {
      const page = await on().open(sizeAt(width));
      await page.goto('/app/~sign-in');
      const box = await page.getByRole('button', { name: 'Continue with the token' }).boundingBox();
      expect(box?.x, `${width} pixels`).toBeGreaterThanOrEqual(16);
      expect((box?.x ?? 0) + (box?.width ?? 0), `${width} pixels`).toBeLessThanOrEqual(width - 16);
      expect((await excess(page)).x).toBe(0);
    }
  });

  it('shows a page that does not exist with the navigation', async () => {
    for (const place of ['/~nothing', '/~access/nothing', '/acme/a/b/c/d', '/~nothing/workspaces']) {
      const page = await on().openBoth(place);
      await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Workspaces' }).waitFor();
      expect(on().complaints.splice(0), 'a page that no server was asked for').toEqual([]);
    }
  });

  it('keeps query and fragment of the URL of a run that the command line prints', async () => {
    await makeWorkspace(on(), 'printed');
    const page = await asFirst('/~organizations');
    await page.goto('/app/acme/printed/runs/run-1?part=history#L3');
    await page.waitForURL('**/app/acme/workspaces/printed/runs/run-1?part=history#L3');
    await page.getByText('not found, or no access').first().waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('404')),
    ).toBe(true);
  });

  it('keeps query and fragment through the sign-in', async () => {
    await makeWorkspace(on(), 'kept');
    const page = await asFirst('/acme/workspaces/kept/resources?view=graph#here');
    await page.waitForURL('**/app/acme/workspaces/kept/resources?view=graph#here');
  });

  it('the pages of the command line look like the sign-in page', async () => {
    const look = `(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      const style = getComputedStyle([...document.querySelectorAll('button')].at(-1));
      const logo = document.querySelector('svg[aria-label=Lockkeeper] path:last-of-type').getAttribute('d');
      return { backgroundColor, color, radius: style.borderRadius, height: style.height, logo };
    })()`;
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await on().open({ ...sizeAt(1280), colorScheme });
      await page.goto('/app/~sign-in');
      await page.getByRole('button', { name: 'Continue with the token' }).waitFor();
      const wanted = await page.evaluate(look);
      await page.goto('/app/settings/tokens');
      expect(await page.evaluate(look)).toEqual(wanted);
    }
    for (const width of WIDTHS) {
      const page = await on().open(sizeAt(width));
      await page.goto('/app/settings/tokens');
      expect((await excess(page)).x, `${width} pixels`).toBe(0);
      expect(await barriers(page)).toEqual([]);
    }
  });

  it('lists Ctrl-K among the shortcuts', async () => {
    const page = await asFirst('/~organizations');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('search or run a command').waitFor();
    expect(await dialog.locator('kbd').allInnerTexts()).toEqual(expect.arrayContaining(['Ctrl', 'K']));
  });

  it('has an icon of its own for each entry of the navigation', async () => {
    const page = await on().openBoth('/~organizations');
    await page.getByRole('link', { name: 'Health' }).waitFor();
    const icons = await page.evaluate<string[]>(
      "[...document.querySelectorAll('#places li svg')].map((icon) => icon.innerHTML)",
    );
    expect(icons.length).toBeGreaterThan(15);
    expect(new Set(icons).size).toBe(icons.length);
  });

  it('offers Users to site administrators only', async () => {
    const { server } = on();
    const { users, tokens } = server.application.workspaces.tenancy;
    const { id } = await users.create({ username: 'root', email: 'root@example.com', siteAdmin: true });
    const { text } = await tokens.issue(id, { description: '', expiresAt: null });
    const admin = await on().openAs(text, '/~overview');
    await admin.getByRole('link', { name: 'Users' }).waitFor();
    const team = await server.user('POST', '/api/v2/organizations/acme/teams', {
      data: { type: 'teams', attributes: { name: 'builders' } },
    });
    const token = await server.user('POST', `/api/v2/teams/${team.body.data.id}/authentication-token`, {});
    const page = await on().openAs(token.body.data.attributes.token, '/acme/workspaces', sizeAt(1280));
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await navigation.getByRole('link', { name: 'Settings' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('user');
    await page.getByText('No results').waitFor();
  });

  it('remembers the organization on pages outside of it, after a reload too', async () => {
    const { server } = on();
    for (const name of ['beta', 'zeta']) {
      await server.user('POST', '/api/v2/organizations', {
        data: { type: 'organizations', attributes: { name, email: 'a@example.com' } },
      });
    }
    const page = await on().openBoth('/zeta/workspaces');
    await page.getByText('No workspaces').first().waitFor();
    await page.goto('/app/~access/roles');
    const navigation = page.getByRole('navigation', { name: 'Console' });
    await navigation.getByRole('button', { name: 'Organization: zeta' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Workspaces' }).getAttribute('href')).toBe(
      '/app/zeta/workspaces',
    );
    await navigation.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token', { exact: true }).waitFor();
    expect(await page.evaluate("localStorage.getItem('organization')")).toBeNull();
  });

  it('opens the navigation in full on a short window: the user stays at its foot', async () => {
    const page = await on().openAs(on().server.userToken, '/~organizations', {
      viewport: { width: 1280, height: 500 },
    });
    const box = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(500);
  });
});
