import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { colleague } from '../support/colleague.ts';
import { type Bench, barriers, bench, describeConsole, makeWorkspace, settled, signIn } from '../support/console.ts';
import { newUser } from '../support/organization.ts';

/** Opens a window at the name of the server, since browsers accept no passkeys at an IP address. */
async function openByName(on: Bench): Promise<Page> {
  const page = await on.open({ baseURL: `https://localhost:${new URL(on.server.address).port}` });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return page;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/~sign-in/);
}

/** Invites an address as the owner. @returns the link that the page shows */
async function inviteByPage(on: Bench, email: string): Promise<string> {
  const owner = await on.openAs(on.server.userToken, '/acme/members');
  await owner.getByRole('button', { name: 'Invite member' }).click();
  await owner.getByLabel('Email').fill(email);
  await owner.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  const shown = owner.getByRole('region', { name: `New invitation link for ${email}` });
  await shown.getByText('Send the link to the person yourself').waitFor();
  const link = await shown.locator('output').innerText();
  const [another, withdraw] = await Promise.all(
    [`New link for ${email}`, `Withdraw invitation of ${email}…`].map((name) =>
      owner.getByRole('button', { name }).boundingBox(),
    ),
  );
  expect(Number(withdraw?.x) - Number(another?.x) - Number(another?.width)).toBeGreaterThanOrEqual(8);
  expect(await barriers(owner)).toEqual([]);
  return link.replace('127.0.0.1', 'localhost');
}

describeConsole('passkeys in the console', () => {
  const on = bench();

  it('are registered in the account, sign the user in, and are removed', async () => {
    const page = await openByName(on());
    await page.goto('/app/~account');
    await signIn(page, await newUser(on(), 'ada'));
    await page.getByText('No passkeys yet.').waitFor();
    await page.getByRole('button', { name: 'New passkey' }).click();
    await page.getByLabel('Name').fill('work laptop');
    await page.getByRole('button', { name: 'Register passkey' }).click();
    const table = page.getByRole('table', { name: 'Passkeys' });
    await table.getByText('work laptop').waitFor();
    await table.getByText('never used').waitFor();
    await settled(page);
    expect(await barriers(page)).toEqual([]);
    await signOut(page);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue with a passkey' }).click();
    await page.locator('#places').getByText('ada').waitFor();
    await page.goto('/app/~account');
    await table.getByRole('cell', { name: /^used / }).waitFor();
    expect(await page.evaluate(`JSON.stringify([localStorage, sessionStorage])`)).not.toContain('lku.');

    await page.getByRole('button', { name: 'Remove passkey work laptop…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    // The session started with this passkey, so it ends too.
    await page.waitForURL(/~sign-in/);
    await page.getByRole('button', { name: 'Continue with a passkey' }).click();
    await page.getByRole('alert').getByText('passkey was not accepted').waitFor();
    on().complaints.splice(0);
  });

  it('a session that started long ago signs in again before it registers one', async () => {
    const page = await openByName(on());
    await page.goto('/app/~account');
    const token = await newUser(on(), 'lin');
    await signIn(page, token);
    on().server.advance(3601);
    const register = async () => {
      await page.getByRole('button', { name: 'New passkey' }).click();
      await page.getByLabel('Name').fill('late key');
      await page.getByRole('button', { name: 'Register passkey' }).click();
    };
    await register();
    await page
      .getByRole('dialog', { name: 'Confirm your identity' })
      .getByRole('link', { name: 'Sign in again' })
      .click();
    await signIn(page, token);
    await page.waitForURL('**/app/~account');
    await register();
    await page.getByRole('table', { name: 'Passkeys' }).getByText('late key').waitFor();
    // The browser logs the refused response itself.
    expect(on().complaints.splice(0)).toEqual([expect.stringContaining('403')]);
  });

  it('a site administrator sees them in the list of users', async () => {
    const page = await openByName(on());
    await page.goto('/app/~account');
    await signIn(page, await newUser(on(), 'grace'));
    await page.getByRole('button', { name: 'New passkey' }).click();
    await page.getByLabel('Name').fill('key of grace');
    await page.getByRole('button', { name: 'Register passkey' }).click();
    await page.getByText('key of grace').waitFor();
    await on().server.application.workspaces.tenancy.users.setSiteAdmin('first', true);
    const admin = await on().openAs(on().server.userToken, '/~server/users');
    await admin.getByRole('button', { name: 'Actions for grace' }).click();
    await admin.getByRole('menuitem', { name: 'Passkeys…' }).click();
    await admin.getByRole('dialog', { name: 'Passkeys of grace' }).getByText('key of grace').waitFor();
    await on().server.application.workspaces.tenancy.users.setSiteAdmin('first', false);
  });

  it('at an IP address, the sign-in page and the account name the address to use', async () => {
    const page = await on().open();
    await page.goto('/app/~sign-in');
    const address = `https://localhost:${new URL(on().server.address).port}`;
    await page.getByRole('link', { name: address }).waitFor();
    expect(await page.getByRole('button', { name: 'Continue with a passkey' }).count()).toBe(0);
    await page.goto('/app/~account');
    await signIn(page, on().server.userToken);
    await page.getByText('Browsers do not accept passkeys at this address').waitFor();
    await page.getByText(`${address}/app`).waitFor();
    expect(await page.getByRole('button', { name: 'New passkey' }).count()).toBe(0);
  });
});

describeConsole('invitations in the console', () => {
  const on = bench();

  it('a person without an account makes one by the link, and comes back with the passkey', async () => {
    const link = await inviteByPage(on(), 'mary@example.org');
    const page = await openByName(on());
    await page.goto(link);
    await page.getByRole('heading', { name: 'Join acme' }).waitFor();
    await page.getByText('first invites you').waitFor();
    expect(page.url()).not.toContain(link.split('#')[1]);
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Name').fill('first');
    await page.getByRole('button', { name: 'Create an account with a passkey' }).click();
    await page.getByRole('alert').getByText('has already been taken').waitFor();
    await page.getByLabel('Name').fill('mary');
    await page.getByRole('button', { name: 'Create an account with a passkey' }).click();
    await page.waitForURL('**/app/acme/workspaces');
    await page.locator('#places').getByText('mary').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Continue with a passkey' }).click();
    await page.waitForURL('**/app/acme/workspaces');
    // The link has been used.
    await page.goto(link);
    await page.getByRole('alert').getByText('This link is not valid').waitFor();
    on().complaints.splice(0);
  });

  it('a user with an account signs in by the link, and accepts with one click', async () => {
    const token = await newUser(on(), 'joan');
    const link = await inviteByPage(on(), 'someone@example.org');
    const page = await openByName(on());
    await page.goto(link);
    await page.getByRole('link', { name: 'Sign in with my account' }).click();
    await page.getByLabel('Token', { exact: true }).fill(token);
    await page.getByRole('button', { name: 'Continue with the token' }).click();
    await page.getByRole('button', { name: 'Accept as joan' }).click();
    await page.waitForURL('**/app/acme/workspaces');
    expect(await page.evaluate('sessionStorage.getItem("invitation")')).toBeNull();
  });

  it('an invitation is the first thing on the page after the sign-in', async () => {
    const { server } = on();
    const token = await newUser(on(), 'lin');
    const invite = () =>
      server.user('POST', '/api/v2/organizations/acme/organization-memberships', {
        data: { type: 'organization-memberships', attributes: { email: 'lin@example.com' } },
      });
    expect((await invite()).status).toBe(201);
    const page = await on().open();
    await page.goto('/app');
    await signIn(page, token);
    // The page of a user without an organization is not that of the operator.
    await page.getByRole('heading', { name: 'Welcome, lin', level: 1 }).waitFor();
    await page.getByText('lin@example.com').waitFor();
    await page.getByRole('button', { name: 'Decline the invitation to acme' }).click();
    await page.getByRole('region', { name: 'Invitations' }).waitFor({ state: 'detached' });
    expect((await invite()).status).toBe(201);
    await page.reload();
    await page.getByRole('region', { name: 'Invitations' }).getByText('acme').waitFor();
    await settled(page);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Accept the invitation to acme' }).click();
    await page.waitForURL('**/app/acme/workspaces');
    await page.getByRole('region', { name: 'Invitations' }).waitFor({ state: 'detached' });
  });
});

describeConsole('the first page', () => {
  const on = bench();
  const first = async (token: string) => {
    const page = await on().open();
    await page.goto('/app');
    await signIn(page, token);
    return page;
  };

  it('is about what each kind of user can do', async () => {
    const { server } = on();
    const workspace = await makeWorkspace(on(), 'network');
    await makeWorkspace(on(), 'other');
    const owner = await first(server.userToken);
    await owner.waitForURL('**/app/acme/workspaces');
    const member = await first(await colleague(on(), 'member', workspace, 'read'));
    await member.waitForURL('**/app/acme/workspaces/network');
    await (await first(await newUser(on(), 'nobody'))).waitForURL('**/app/~welcome');

    const root = await first(server.rootToken);
    await root.waitForURL('**/app/~overview');
    await root.getByText('Root token: everything in access is allowed').waitFor();
    expect(await barriers(root)).toEqual([]);
    const { body } = await server.root('POST', '/v1/auth/token/create', { policies: ['default'], ttl: '1h' });
    const reader = await first(body.auth.client_token);
    await reader.waitForURL('**/app/~access/token');
    // A page of the workspace API says where its sign-in comes from.
    await reader.goto('/app/~organizations');
    await reader.getByText('To open this page, sign in as a user: with a passkey').waitFor();

    await newUser(on(), 'keeper');
    const { tenancy } = server.application.workspaces;
    await tenancy.users.setSiteAdmin('keeper', true);
    const keeper = await tenancy.users.byUsername('keeper');
    const { text } = await tenancy.tokens.issue(keeper?.id ?? '', { description: '', expiresAt: null });
    await (await first(text)).waitForURL('**/app/~guide');
  });
});
