import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Bench, bench, describeConsole, signIn } from './support/console.ts';

const STORED = `# Roles, but not those of production.
path "auth/cert/certs/*" {
  capabilities = ["read"]
}
`;
const DENY = `path "auth/cert/certs/prod*" {
  capabilities = ["deny"]
}
`;

describeConsole('policies, tokens and identities', () => {
  const on = bench();

  const write = (name: string, policy: string) => on().server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy });
  const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of the policy' });
  /** Replaces the whole text. */
  const type = async (page: Page, text: string) => {
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  const openAs = async (bench: Bench, token: string, place: string): Promise<Page> => {
    const page = await bench.open();
    await page.goto(`/app/~sign-in?side=access&to=${encodeURIComponent(place)}`);
    await signIn(page, token);
    return page;
  };
  const openRoot = (place: string) => openAs(on(), on().server.rootToken, place);
  /** Expects only the messages that the browser logs for this status. */
  const refusals = (status: number) => {
    const complaints = on().complaints.splice(0);
    expect(complaints.length).toBeGreaterThan(0);
    expect(complaints.filter((line) => !line.includes(String(status)))).toEqual([]);
  };

  it('a draft is evaluated, an error names its line, and the changes are shown before saving', async () => {
    await write('role-admin', STORED);
    const page = await openRoot('/~access/policies');
    await page.getByRole('cell', { name: 'Roles, but not those of production.' }).waitFor();
    await page.getByRole('link', { name: 'role-admin' }).click();
    await page.getByRole('heading', { name: 'role-admin', level: 1 }).waitFor();
    await page.getByLabel('Capability').selectOption('update');
    await page.getByLabel('Path').fill('auth/cert/certs/web');
    await page.getByText('the policies do not grant "update" on the path, by line 2').waitFor();
    expect(new URL(page.url()).search).toBe('?capability=update&path=auth/cert/certs/web');

    await type(page, STORED.replace('"read"', '"read", "fly"'));
    await page.getByText(/^failed to parse policy: line 3, column \d+:/).waitFor();
    await editor(page)
      .getByText(/^path .* invalid capability "fly"/)
      .waitFor();
    refusals(400);

    await type(page, STORED.replace('"read"', '"read", "update"') + DENY);
    await page.getByText('policy role-admin, this draft').waitFor();
    await page.getByText('the policies grant "update" on the path, by line 2').waitFor();
    await page.getByRole('button', { name: 'Save as test: allowed' }).click();
    await page.getByLabel('Path').fill('auth/cert/certs/prod-1');
    await page.getByText('the path is denied, by line 5').waitFor();
    await page.getByText('overridden, because its first wildcard comes earlier: read, update').waitFor();
    // The draft survives a reload of the page.
    await page.reload();
    await page.getByText('4 lines added, 1 removed').waitFor();

    await page.getByRole('button', { name: 'Review and save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save role-admin' });
    const change = dialog.getByRole('region', { name: 'Changes' });
    await change.getByText('capabilities = ["read", "update"]').waitFor();
    await change.getByText('removed: ').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No changes').waitFor();
    const { body } = await on().server.root('GET', '/v1/sys/policies/acl/role-admin');
    expect(body.data).toMatchObject({ version: 2, policy: STORED.replace('"read"', '"read", "update"') + DENY });
  });

  it('a concurrent change is not overwritten', async () => {
    await write('contended', STORED);
    const page = await openRoot('/~access/policies/acl/contended');
    await type(page, DENY);
    await page.getByRole('button', { name: 'Review and save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save contended' });
    // Another client writes the policy after the page has read it.
    await page.route('**/v1/sys/policies/acl/contended', async (route) => {
      if (route.request().method() === 'POST') await write('contended', `${STORED}# Another.\n`);
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('check-and-set parameter did not match the current version').waitFor();
    refusals(400);
    const { body } = await on().server.root('GET', '/v1/sys/policies/acl/contended');
    expect(body.data.policy).toBe(`${STORED}# Another.\n`);
  });

  it('a policy is created and deleted', async () => {
    const page = await openRoot('/~access/policies/new');
    await page.getByLabel('Name', { exact: true }).fill('Made Here');
    await type(page, '# Typed.\n');
    await page.keyboard.type('path "a" {\ncapabilities = ["read"]\n}\n');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'made here', level: 1 }).waitFor();
    const made = await on().server.root('GET', '/v1/sys/policies/acl/made%20here');
    expect(made.body.data.policy).toBe('# Typed.\npath "a" {\n  capabilities = ["read"]\n}\n');
    await page.getByText('policy, version 1, used by no role, entity or group').waitFor();
    await on().server.root('POST', '/v1/auth/token/roles/givers', { allowed_policies: ['made here'] });
    await page.reload();
    await page.getByText('used by 1 token role').waitFor();
    await page.getByRole('link', { name: 'givers' }).waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete made here' });
    await dialog.getByText('Used by 1 token role.').waitFor();
    await dialog.getByLabel('Name of the policy').fill('made here');
    await dialog.getByRole('button', { name: 'Delete policy' }).click();
    await page.getByRole('heading', { name: 'Policies', level: 1 }).waitFor();
    expect((await on().server.root('GET', '/v1/sys/policies/acl/made%20here')).status).toBe(404);
    on().complaints.splice(0);
  });

  it('a token is created, shown once, opened, and revoked with its child tokens', async () => {
    await write('maker', 'path "auth/token/create" { capabilities = ["update"] }');
    const page = await openRoot('/~access/tokens');
    await page.getByRole('link', { name: 'New token' }).click();
    await page.getByLabel('Display name').fill('builder');
    await page.getByLabel('Policies').fill('maker, default');
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByRole('region', { name: 'New token' }).getByRole('status').innerText();
    expect(page.url()).not.toContain(token);
    const { server } = on();
    const child = await server.call('POST', '/v1/auth/token/create', { token, body: {} });
    await server.call('POST', '/v1/auth/token/create', { token: child.body.auth.client_token, body: {} });

    await page.getByRole('link', { name: 'Open token' }).click();
    await page.getByRole('heading', { name: 'token-builder', level: 1 }).waitFor();
    await page.getByText('service token, orphan, revoking it also revokes 2 tokens').waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke token-builder' });
    await dialog.getByText('together with 2 tokens created with it').waitFor();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'root', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'token-builder' }).count()).toBe(0);
    expect((await server.call('GET', '/v1/auth/token/lookup-self', { token })).status).toBe(403);
    expect(
      (await server.call('GET', '/v1/auth/token/lookup-self', { token: child.body.auth.client_token })).status,
    ).toBe(403);
  });

  it('a user with few permissions sees the missing ones and their reason, and no buttons', async () => {
    await write(
      'looker',
      'path "sys/policies/acl/*" { capabilities = ["read"] }\npath "sys/policies/acl" { capabilities = ["list"] }',
    );
    await write('role-admin', STORED);
    const made = await on().server.root('POST', '/v1/auth/token/create', { policies: ['looker'] });
    const page = await openAs(on(), made.body.auth.client_token, '/~access/policies/acl/role-admin');
    await page.getByRole('heading', { name: 'role-admin', level: 1 }).waitFor();
    await page.getByText('Your token has no permission to check requests').waitFor();
    expect(await editor(page).getAttribute('aria-readonly')).toBe('true');
    for (const name of ['Review and save', 'Discard', 'Delete…'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('link', { name: 'Policies', exact: true }).first().click();
    await page.getByRole('link', { name: 'role-admin' }).waitFor();
    expect(await page.getByRole('link', { name: 'New policy' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Tokens', exact: true }).click();
    await page.getByRole('heading', { name: 'Tokens: permission denied' }).waitFor();
    await page.getByText('list on auth/token/accessors').waitFor();
    await write('looker', 'path "sys/policies/explain" { capabilities = ["update"] }');
    await page.reload();
    await page.getByRole('link', { name: 'Why?' }).click();
    await page.getByRole('heading', { name: 'Request check', level: 1 }).waitFor();
    await page.getByText('no path of any policy matches').waitFor();
    await page.getByText('looker').waitFor();
    refusals(403);
  });

  it('an entity is disabled, so that its tokens stop working, and enabled again', async () => {
    const { server, clients } = on();
    const client = clients.issue({ subject: 'laptop-9' });
    const login = () => server.call('POST', '/v1/auth/cert/login', { certificate: client, body: {} });
    const { client_token: token } = (await login()).body.auth;
    const page = await openRoot('/~access/identities');
    const row = page.getByRole('row').filter({ hasText: 'laptop-9' });
    await row.getByRole('link').click();
    await page.getByRole('cell', { name: 'auth/cert/' }).waitFor();
    await page.getByRole('button', { name: 'Disable…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('This entity cannot log in, and the server refuses its tokens').waitFor();
    expect((await server.call('GET', '/v1/auth/token/lookup-self', { token })).status).toBe(403);
    expect((await login()).status).toBe(400);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable…' }).waitFor();
    expect((await login()).status).toBe(200);
  });

  it('data is wrapped, and unwrapped once', async () => {
    const page = await openRoot('/~access/wrapping');
    await page.getByLabel('Data', { exact: true }).fill('{"password": "s3cret"}');
    await page.getByRole('button', { name: 'Wrap', exact: true }).click();
    const token = await page.getByRole('region', { name: 'New wrapping token' }).getByRole('status').innerText();
    await page.getByRole('textbox', { name: 'Wrapping token' }).fill(token);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('sys/wrapping/wrap', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Unwrap' }).click();
    await page.getByText('"password": "s3cret"').waitFor();
    await page.getByRole('textbox', { name: 'Wrapping token' }).fill(token);
    await page.getByRole('button', { name: 'Unwrap' }).click();
    await page.getByText('wrapping token is not valid or does not exist').waitFor();
    refusals(400);
  });
});
