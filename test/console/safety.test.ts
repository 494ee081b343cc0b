import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { barriers, bench, describeConsole, makeWorkspace } from './support/console.ts';

describeConsole('every page of the console', () => {
  const on = bench();

  it('opens without a session', async () => {
    const page = await on().open({ reducedMotion: 'reduce' });
    await page.goto('/app/~sign-in');
    await page.getByLabel('Token', { exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await barriers(page)).toEqual([]);
  });

  it('has accessible menus and dialogs', async () => {
    await makeWorkspace(on(), 'menus');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/menus');
    for (const name of [/^Theme/, /^Organization/]) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('menu').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Lock…' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it('hides the navigation in narrow windows', async () => {
    await makeWorkspace(on(), 'folded');
    const viewport = { width: 390, height: 844 };
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/folded', { viewport });
    const places = page.getByRole('navigation', { name: 'Console' });
    await page.getByRole('heading', { name: 'folded', level: 1 }).waitFor();
    expect(await places.isVisible()).toBe(false);
    const button = page.getByRole('button', { name: 'Navigation' });
    await button.click();
    await places.waitFor();
    expect(await barriers(page)).toEqual([]);
    await button.click();
    await places.waitFor({ state: 'hidden' });
    await button.click();
    await places.getByRole('link', { name: 'Workspaces', exact: true }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await places.waitFor({ state: 'hidden' });
  });

  it('remembers the theme, and applies it before the first paint', async () => {
    const page = await on().openAs(on().server.userToken);
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await page.goto('/app/~organizations', { waitUntil: 'commit' });
    await expect.poll(() => page.evaluate('document.documentElement?.dataset.theme')).toBe('dark');
  });

  it('sends the strictest content security policy with every response below /app', async () => {
    const { server } = on();
    const { text } = await server.call('GET', '/app');
    const assets = [...text.matchAll(/(?:src|href)="(\/app\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.length).toBeGreaterThan(3);
    for (const path of ['/app', '/app/a.b/workspaces', '/app/~session', '/app/~assets/none.js', ...assets]) {
      const { headers } = await server.call('GET', path);
      const policy = headers['content-security-policy'];
      expect([path, policy]).toEqual([
        path,
        expect.stringContaining("default-src 'none'; script-src 'self'; style-src 'self'"),
      ]);
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types lockkeeper-workers");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'strict-transport-security': expect.any(String),
      });
    }
  });

  it('refuses all requests that another site makes the browser send', async () => {
    const { server } = on();
    const organizations = async () =>
      (await server.user('GET', '/api/v2/organizations')).body.meta.pagination['total-count'];
    const before = await organizations();
    const page = await on().openAs(server.userToken);
    const evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<form method="post" action="${server.address}/api/v2/organizations" enctype="text/plain">
        <input name='{"data":{"type":"organizations","attributes":{"name":"evil","email":"a@example.com","x":"' value='"}}}'>
        <button>Send</button></form>`);
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void evil.close());
    const other = await page.context().newPage();
    await other.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    const read = `fetch('${server.address}/api/v2/organizations', { credentials: 'include' }).then(() => 'read', () => 'refused')`;
    expect(await other.evaluate(read)).toBe('refused');
    const marked = `fetch('${server.address}/app/~session', { method: 'DELETE', credentials: 'include', headers: { 'x-lockkeeper-console': '1' } }).then(() => 'done', () => 'refused')`;
    expect(await other.evaluate(marked)).toBe('refused');
    const [answer] = await Promise.all([
      other.waitForResponse('**/api/v2/organizations'),
      other.getByRole('button', { name: 'Send' }).click(),
    ]);
    expect(answer.status()).toBe(401);
    expect(await organizations()).toBe(before);
    await page.reload();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
  });
});
