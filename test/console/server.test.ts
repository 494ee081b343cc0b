import { expect, it } from 'vitest';
import { bench, describeConsole, signIn } from './support/console.ts';

describeConsole('the server pages', () => {
  const on = bench();
  const refuse = async (subject: string) => {
    const { server, clients } = on();
    await server.root('POST', '/v1/auth/cert/certs/narrow', {
      certificate: clients.pem,
      allowed_common_names: '*.example.org',
    });
    const certificate = clients.issue({ subject, dns: [subject] });
    const { headers } = await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'narrow' } });
    return String(headers['x-request-id']);
  };

  it('finds a refused login by result, by request and by client', async () => {
    const id = await refuse('box-1.example.com');
    const page = await on().openBoth('/~server/audit');
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await page.getByText('writing').waitFor();
    await page.getByRole('button', { name: 'Refused logins' }).click();
    await page.getByRole('link', { name: 'POST /v1/auth/cert/login' }).first().click();
    const record = page.getByRole('region', { name: 'Audit entry' });
    await record.getByText('allowed_common_names').waitFor();
    await record.getByText('*.example.org').waitFor();
    expect(new URL(page.url()).searchParams.get('record')).toBe(id);
    await page.reload();
    await record.getByText('box-1.example.com').first().waitFor();
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'hidden' });

    const find = page.getByRole('searchbox', { name: /^Find by/ });
    await page.goto('/app/~server/audit');
    await find.fill(id);
    await find.press('Enter');
    await page.getByRole('button', { name: 'Remove filter: request' }).waitFor();
    await page.getByRole('link', { name: 'POST /v1/auth/cert/login' }).waitFor();
    await page.getByRole('button', { name: 'Remove filter: request' }).click();
    await find.fill('cn=box-1');
    await find.press('Enter');
    await page.getByRole('button', { name: 'Remove filter: caller' }).waitFor();
    await page.getByRole('link', { name: 'POST /v1/auth/cert/login' }).waitFor();
  });

  it('finds a text by its hash; the URL does not contain the text', async () => {
    const { server } = on();
    const secret = '# a text that is nowhere else';
    await server.root('PUT', '/v1/sys/policies/acl/hidden', { policy: secret });
    const page = await on().openBoth('/~server/audit');
    await page.getByRole('button', { name: 'Find a text by its hash…' }).click();
    await page.getByLabel('Text', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('link', { name: 'PUT /v1/sys/policies/acl/hidden' }).waitFor();
    await page.waitForURL(/hash=hmac-sha256/);
    expect(page.url()).not.toContain('nowhere');
  });

  it('names the missing permission for the audit log', async () => {
    const { server } = on();
    const { body } = await server.root('POST', '/v1/auth/token/create', { policies: ['default'] });
    const page = await on().open();
    await page.goto('/app/~sign-in?side=access&to=/~server/audit');
    await signIn(page, body.auth.client_token);
    await page.getByRole('heading', { name: 'The audit log: permission denied' }).waitFor();
    await page.getByText('read and sudo on sys/audit-record').waitFor();
    await page.goto('/app/~server/health');
    await page.getByText('Ready.').waitFor();
    await page.getByText('read on sys/figures').waitFor();
    // The browser logs each refused response itself.
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('403')),
    ).toBe(true);
  });

  it('shows a login and a refused login in the metrics', async () => {
    const { server, clients } = on();
    await refuse('box-2.example.com');
    const certificate = clients.issue({ subject: 'box.example.com', dns: ['box.example.com'] });
    const login = await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'people' } });
    expect(login.status).toBe(200);
    const page = await on().openBoth('/~server/health?last=1h');
    await page.getByText('Ready.').waitFor();
    const logins = page.getByRole('list', { name: /^Logins/ });
    await logins
      .getByText(/[1-9]\d* logins, including refused ones, [1-9]\d* refused/)
      .first()
      .waitFor();
    const [document] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'OpenAPI document of the access API' }).click(),
    ]);
    expect(document.suggestedFilename()).toBe('lockkeeper-access.json');
    expect(await document.failure()).toBe(null);
  });

  it('creates a user, who signs in with the token, and suspends the user', async () => {
    const { server } = on();
    await server.application.workspaces.tenancy.users.setSiteAdmin('first', true);
    const page = await on().openAs(server.userToken, '/~server/users');
    await page.getByRole('button', { name: 'New user…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('first');
    await page.getByLabel('Email', { exact: true }).fill('newcomer@example.com');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('Username has already been taken').first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill('newcomer');
    await page.getByRole('button', { name: 'Create user' }).click();
    const token = await page.getByRole('region', { name: 'New token of newcomer' }).locator('output').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('rowheader', { name: 'newcomer' }).waitFor();

    const theirs = await on().openAs(token, '/~organizations');
    await theirs.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Actions for newcomer' }).click();
    await page.getByRole('menuitem', { name: 'Suspend…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();
    await page
      .getByRole('row', { name: /newcomer/ })
      .getByText('suspended', { exact: true })
      .waitFor();
    await theirs.reload();
    await theirs.getByLabel('Token', { exact: true }).waitFor();
    // The browser logs each refused response itself.
    expect(
      on()
        .complaints.splice(0)
        .every((line) => /40[13]|422/.test(line)),
    ).toBe(true);
  });

  it('names the missing role to users who are not site administrators', async () => {
    const { tenancy } = on().server.application.workspaces;
    const user = await tenancy.users.create({ username: 'nobody', email: 'nobody@example.com' });
    const { text } = await tenancy.tokens.issue(user.id, { description: '', expiresAt: null });
    const page = await on().openAs(text, '/~server/users');
    await page.getByText('the site administrator role').waitFor();
    expect(await page.getByRole('button', { name: 'New user…' }).count()).toBe(0);
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('404')),
    ).toBe(true);
  });
});
