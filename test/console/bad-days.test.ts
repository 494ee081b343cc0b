import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { barriers, bench, describeConsole, makeWorkspace, settled, signIn } from './support/console.ts';
import { openGate } from './support/gate.ts';

/** Messages that the browser logs for refused requests and failed connections. */
const OF_THE_NETWORK = /Failed to load resource|net::ERR_/;

describeConsole('failures around the console', () => {
  const on = bench();

  /** Returns and clears the logged errors. */
  const complaints = () => on().complaints.splice(0);

  it('a session that expires on an open page leads to the sign-in page, and back to the page', async () => {
    const { server } = on();
    await makeWorkspace(on(), 'kept');
    const page = await on().openAs(server.userToken, '/acme/workspaces/kept/lock-history?page=1');
    await page.getByRole('heading', { name: 'No locks yet' }).waitFor();
    const { body } = await server.user('GET', `/api/v2/users/${server.userId}/sessions`);
    expect(body.data.length).toBeGreaterThan(0);
    for (const { id } of body.data) await server.user('DELETE', `/api/v2/sessions/${id}`);
    await page.waitForURL(/~sign-in\?to=/);
    await page.getByText('Your session has ended').waitFor();
    await signIn(page, server.userToken);
    await page.getByRole('heading', { name: 'No locks yet' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/acme/workspaces/kept/lock-history');
    expect(complaints().every((line) => OF_THE_NETWORK.test(line))).toBe(true);
  });

  it('a page reports a server that is down, and recovers with the next server', async () => {
    const { server } = on();
    const id = await makeWorkspace(on(), 'survives');
    const next = await startTestServer('sqlite', { services: ['access', 'workspaces', 'console'], beside: server });
    onTestFinished(() => next.stop());
    const gate = await openGate(server.address);
    onTestFinished(() => gate.close());
    const page = await on().open({ baseURL: gate.address });
    await page.goto('/app/acme/workspaces/survives');
    await signIn(page, server.userToken);
    await page.getByRole('heading', { name: 'survives', level: 1 }).waitFor();
    gate.shut();
    await page.getByText('The server does not answer. The console tries again.').first().waitFor();
    // Loaded data stays visible.
    expect(await page.getByRole('heading', { name: 'survives', level: 1 }).isVisible()).toBe(true);
    gate.lead(next.address);
    await next.user('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason: 'meanwhile' });
    await page.getByText('“meanwhile”').waitFor();
    await page.getByText('The server does not answer').first().waitFor({ state: 'detached' });
    expect(complaints().every((line) => OF_THE_NETWORK.test(line))).toBe(true);
  });

  it('an upgrade reloads an open page once', async () => {
    const page = await on().openAs(on().server.userToken);
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await settled(page);
    // The server no longer has the files of the loaded page, only those of the new version.
    let isOld = true;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isOld = false;
    });
    await page.route('**/~assets/*.js', (route) =>
      isOld ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    );
    const loaded = page.waitForEvent('load');
    await page.evaluate('document.querySelector(\'a[href="/app/~organizations"]\').click()');
    await loaded;
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(complaints().every((line) => OF_THE_NETWORK.test(line) || /dynamically imported/.test(line))).toBe(true);
  });

  it.each([-26, 26])('a client clock that is off by %d hours does not change the age of anything', async (hours) => {
    const name = `clock${hours}`;
    const id = await makeWorkspace(on(), name);
    await on().server.user('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason: 'a reason' });
    const page = await on().open();
    await page.clock.setFixedTime(Date.now() + hours * 3_600_000);
    await page.goto(`/app/acme/workspaces/${name}`);
    await signIn(page, on().server.userToken);
    await page.getByText('Locked by first').waitFor();
    const ago = page.getByRole('main').locator('time').first();
    await expect.poll(() => ago.innerText()).toMatch(/^\d+ (s|min|seconds?|minutes?)$/);
    await page.goto('/app/~overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await settled(page);
    expect(await page.getByRole('region', { name: 'Locked for more than a day' }).count()).toBe(0);
  });

  it.each(['/acme/workspaces', '/acme/workspaces/shown', '/~overview', '/~guide'])(
    '%s works at 200 % zoom and with forced colors',
    async (place) => {
      const { server } = on();
      await server.user('POST', '/api/v2/organizations/acme/workspaces', {
        data: { type: 'workspaces', attributes: { name: 'shown' } },
      });
      const page = await on().openAs(server.userToken, place, {
        viewport: { width: 640, height: 400 },
        deviceScaleFactor: 2,
        forcedColors: 'active',
      });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      expect(await barriers(page)).toEqual([]);
      // The focus is visible.
      await page.keyboard.press('Tab');
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline).not.toBe('none');
    },
  );
});
