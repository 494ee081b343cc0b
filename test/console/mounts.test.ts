import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { bench, describeConsole, signIn } from './support/console.ts';

const HOSTILE = '<script>alert(1)</script> שלום';

describeConsole('a mount', () => {
  const on = bench();

  async function as(token: string, place: string): Promise<Page> {
    const page = await on().open();
    await page.goto(`/app${place}`);
    await signIn(page, token);
    return page;
  }

  it('is enabled, tuned, moved and disabled', async () => {
    const { server } = on();
    const page = await as(server.rootToken, '/~access/mounts');
    await page.getByRole('button', { name: 'Enable auth method…' }).click();
    await page.getByLabel('Path', { exact: true }).fill('lab/one');
    await page.getByLabel('Description').fill(HOSTILE);
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByRole('heading', { name: 'auth/lab/one', level: 1 }).waitFor();
    await page.getByText(HOSTILE).first().waitFor();
    await page.getByLabel('default_lease_ttl').fill('2h');
    await page.getByRole('button', { name: 'Tune' }).click();
    await expect.poll(() => page.getByLabel('default_lease_ttl').inputValue()).toBe('7200');
    await page.getByRole('button', { name: 'Move…' }).click();
    await page.getByLabel('New path').fill('machines');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('heading', { name: 'auth/machines', level: 1 }).waitFor();
    await page.getByText('Moved from auth/lab/one/ to auth/machines/: success').waitFor();
    const { body } = await server.root('GET', '/v1/sys/auth');
    expect(body.data['machines/']).toMatchObject({ description: HOSTILE, config: { default_lease_ttl: 7200 } });
    await page.getByRole('button', { name: 'Disable…' }).click();
    const disable = page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true });
    expect(await disable.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Path of the mount').fill('machines');
    await disable.click();
    await page.getByRole('heading', { name: 'Mounts', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'auth/machines' }).waitFor({ state: 'detached' });
    expect((await server.root('GET', '/v1/sys/auth')).body.data).not.toHaveProperty('machines/');
  });

  it('is read-only without permission to change it', async () => {
    const { server } = on();
    const policy = 'path "sys/auth" { capabilities = ["read"] }';
    await server.root('PUT', '/v1/sys/policies/acl/mounts-reader', { policy });
    const made = await server.root('POST', '/v1/auth/token/create', { policies: ['mounts-reader'] });
    const page = await as(made.body.auth.client_token, '/~access/mounts');
    await page.getByRole('link', { name: 'auth/cert' }).click();
    await page.getByText('Requires sudo and update on sys/auth/cert/tune').first().waitFor();
    expect(await page.getByRole('button', { name: /^(Move|Disable)/ }).count()).toBe(0);
  });
});
