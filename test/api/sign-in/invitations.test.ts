import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startSmtp, type TestSmtp } from '../../support/mail/smtp.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/server.ts';
import { ConsolePages } from '../../support/sign-in/console-pages.ts';
import { Authenticator } from '../../support/sign-in/passkey.ts';

const SERVICES = ['access', 'workspaces', 'console'] as const;
const POLL = { timeout: 20_000 };
const INVITATIONS = '/invitations';
const DAY = 24 * 3600;

const membership = (email: string, teams: readonly string[] = []) => ({
  data: {
    type: 'organization-memberships',
    attributes: { email },
    ...(teams.length > 0 && { relationships: { teams: { data: teams.map((id) => ({ type: 'teams', id })) } } }),
  },
});
const secretOf = (url: string) => url.split('#')[1] ?? '';
const byLink = (secret: string) => ({ data: { type: 'invitation-links', attributes: { secret } } });

/** Creates an organization of the first user with a team. @returns id of the team */
async function organization(server: TestServer, name: string): Promise<string> {
  const data = { type: 'organizations', attributes: { name, email: 'a@example.com' } };
  expect((await server.user('POST', '/api/v2/organizations', { data })).status).toBe(201);
  const team = { data: { type: 'teams', attributes: { name: 'readers' } } };
  return (await server.user('POST', `/api/v2/organizations/${name}/teams`, team)).body.data.id;
}

async function invite(server: TestServer, organizationName: string, email: string, teams: readonly string[] = []) {
  const path = `/api/v2/organizations/${organizationName}/organization-memberships`;
  const { status, body } = await server.user('POST', path, membership(email, teams));
  expect(status).toBe(201);
  return body.data.id as string;
}

async function linkOf(server: TestServer, id: string) {
  const { status, body } = await server.user('POST', `/api/v2/organization-memberships/${id}/actions/create-link`);
  expect(status).toBe(201);
  return body.data.attributes as { url: string; 'expires-at': string; 'is-mailed': boolean };
}

async function newUser(server: TestServer, username: string) {
  const { tenancy } = server.application.workspaces;
  const user = await tenancy.users.create({ username, email: `${username}@example.com` });
  const { text: token } = await tenancy.tokens.issue(user.id, { description: '', expiresAt: null });
  return { id: user.id, token };
}

/** Creates an account by a link. */
async function join(pages: ConsolePages, secret: string, username: string) {
  const asked = await pages.post(`${INVITATIONS}/account/options`, { secret, username });
  if (asked.status !== 200) return asked;
  const response = new Authenticator(pages.origin).create(asked.body.options);
  return pages.post(`${INVITATIONS}/account`, { secret, response, name: 'laptop' });
}

describe.each(databaseKinds)('links of invitations on %s', (kind) => {
  let server: TestServer;
  let node: TestServer;
  let team: string;

  beforeAll(async () => {
    server = await startTestServer(kind, { services: SERVICES });
    node = await startTestServer(kind, { services: SERVICES, beside: server });
    team = await organization(server, 'acme');
  });
  afterAll(async () => {
    await node?.stop();
    await server?.stop();
  });

  const membersOf = async (name: string) =>
    (await server.user('GET', `/api/v2/organizations/${name}/organization-memberships?page[size]=100`)).body.data as {
      attributes: { email: string; status: string };
      relationships: { teams: { data: { id: string }[] } };
    }[];
  const answer = (token: string, verb: string, secret: string) =>
    server.call('POST', `/api/v2/invitation-links/actions/${verb}`, { token, body: byLink(secret) });

  it('lead a user of another address into the organization, once', async () => {
    const id = await invite(server, 'acme', 'someone@example.org', [team]);
    const link = await linkOf(server, id);
    expect(link.url).toMatch(new RegExp(`^${server.address}/app/~invitation#[\\w-]{43}$`));
    expect(link['is-mailed']).toBe(false);
    expect(link['expires-at']).toBe(new Date(server.now() + 7 * DAY * 1000).toISOString());
    const ada = await newUser(server, 'ada');
    const shown = await new ConsolePages(server).post(`${INVITATIONS}/show`, { secret: secretOf(link.url) });
    expect(shown.body).toEqual({
      ...{ organization: 'acme', invited_by: 'first', expires_at: link['expires-at'], accounts: true },
    });
    expect((await answer(ada.token, 'accept', secretOf(link.url))).status).toBe(204);
    const member = (await membersOf('acme')).find(({ attributes }) => attributes.email === 'ada@example.com');
    expect(member).toMatchObject({
      attributes: { status: 'active' },
      relationships: { teams: { data: [{ id: team }] } },
    });
    const eve = await newUser(server, 'eve');
    expect((await answer(eve.token, 'accept', secretOf(link.url))).status).toBe(404);
    const again = await server.user('POST', `/api/v2/organization-memberships/${id}/actions/create-link`);
    expect(again.status).toBe(409);
  });

  it('are declined with one click', async () => {
    const id = await invite(server, 'acme', 'declines@example.org');
    const { url } = await linkOf(server, id);
    const user = await newUser(server, 'declines');
    expect((await answer(user.token, 'decline', secretOf(url))).status).toBe(204);
    expect((await answer(user.token, 'accept', secretOf(url))).status).toBe(404);
    expect((await server.user('GET', `/api/v2/organization-memberships/${id}`)).status).toBe(404);
  });

  it('let a person without an account create one with a passkey, and are used up by it', async () => {
    const id = await invite(server, 'acme', 'grace@example.org', [team]);
    const secret = secretOf((await linkOf(server, id)).url);
    const pages = new ConsolePages(server);
    expect((await join(pages, secret, 'first')).body.errors[0]).toContain('has already been taken');
    expect((await join(pages, secret, 'no name')).status).toBe(422);
    const made = await join(pages, secret, 'grace');
    expect(made.status, made.text).toBe(201);
    expect(made.body.workspaces).toMatchObject({ kind: 'user', name: 'grace' });
    const organizations = await pages.send('GET', '/api/v2/organizations');
    expect(organizations.body.data.map((one: { id: string }) => one.id)).toEqual(['acme']);
    // The inviter knows the link too, so it does not prove that the user reads the mailbox.
    const { attributes } = (await pages.send('GET', '/api/v2/account/details')).body.data;
    expect(attributes['unconfirmed-email']).toBe('grace@example.org');
    expect(attributes.email).toMatch(/@no-address\.invalid$/);
    const emails = (await membersOf('acme')).map((one) => one.attributes.email);
    expect(emails).toContain(attributes.email);
    expect(emails).not.toContain('grace@example.org');
    expect((await join(new ConsolePages(node, new URL(pages.origin).host), secret, 'grace-2')).status).toBe(404);
    const shown = await new ConsolePages(server).post(`${INVITATIONS}/show`, { secret });
    expect(shown.status).toBe(404);
  });

  it('do not hand invitations of other organizations to the holder of one link', async () => {
    await organization(server, 'secret-project');
    await invite(server, 'secret-project', 'victim@example.org');
    const secret = secretOf((await linkOf(server, await invite(server, 'acme', 'victim@example.org'))).url);
    const thief = new ConsolePages(server);
    expect((await join(thief, secret, 'thief')).status).toBe(201);
    const own = (await thief.send('GET', '/api/v2/organization-memberships')).body.data;
    expect(own).toHaveLength(1);
    expect((await thief.send('GET', '/api/v2/organizations/secret-project')).status).toBe(404);
  });

  it('two accounts that are created at the same time get a name once', async () => {
    const made = await Promise.all(
      [server, node].map(async (on, at) => {
        const secret = secretOf((await linkOf(server, await invite(server, 'acme', `twin-${at}@example.com`))).url);
        const pages = new ConsolePages(on);
        const { options } = (await pages.post(`${INVITATIONS}/account/options`, { secret, username: 'twin' })).body;
        const response = new Authenticator(pages.origin).create(options);
        return () => pages.post(`${INVITATIONS}/account`, { secret, response, name: 'laptop' });
      }),
    );
    const answers = await Promise.all(made.map((create) => create()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body.errors[0]).toContain('has already been taken');
  });

  it('are used by one of several at the same time', async () => {
    const secret = secretOf((await linkOf(server, await invite(server, 'acme', 'race@example.org'))).url);
    const users = await Promise.all(['race-1', 'race-2', 'race-3'].map((name) => newUser(server, name)));
    const results = await Promise.all([
      ...users.map(({ token }) => answer(token, 'accept', secret)),
      join(new ConsolePages(node, `localhost:${new URL(server.address).port}`), secret, 'race-4'),
    ]);
    expect(results.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(results.filter(({ status }) => status === 404)).toHaveLength(3);
  });

  it('end: with a new link, with the invitation, after a week, and for a member', async () => {
    const { token } = await newUser(server, 'late');
    const replaced = await invite(server, 'acme', 'replaced@example.org');
    const old = secretOf((await linkOf(server, replaced)).url);
    const next = secretOf((await linkOf(server, replaced)).url);
    expect((await answer(token, 'accept', old)).status).toBe(404);

    const withdrawn = await invite(server, 'acme', 'withdrawn@example.org');
    const dead = secretOf((await linkOf(server, withdrawn)).url);
    await server.user('DELETE', `/api/v2/organization-memberships/${withdrawn}`);
    expect((await answer(token, 'accept', dead)).status).toBe(404);

    // The invited user accepts without the link.
    const taken = await invite(server, 'acme', 'late@example.com');
    const unused = secretOf((await linkOf(server, taken)).url);
    const accepted = await server.call('POST', `/api/v2/organization-memberships/${taken}/actions/accept`, { token });
    expect(accepted.status).toBe(204);
    expect((await answer(token, 'accept', unused)).status).toBe(404);
    expect((await new ConsolePages(server).post(`${INVITATIONS}/show`, { secret: unused })).status).toBe(404);

    server.advance(7 * DAY);
    expect((await answer(token, 'accept', next)).status).toBe(404);
    expect((await new ConsolePages(server).post(`${INVITATIONS}/show`, { secret: next })).status).toBe(404);
  });

  it('reveal nothing to strangers', async () => {
    const id = await invite(server, 'acme', 'quiet@example.org');
    const { url } = await linkOf(server, id);
    const eve = await newUser(server, 'eve-5');
    const create = await server.call('POST', `/api/v2/organization-memberships/${id}/actions/create-link`, eve);
    expect(create.status).toBe(404);
    const pages = new ConsolePages(server);
    const wrong = ['A'.repeat(43), '', 'x', id, `${secretOf(url)}A`];
    const answers = await Promise.all(wrong.map((secret) => pages.post(`${INVITATIONS}/show`, { secret })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.errors}`)).size).toBe(1);
    expect((await pages.post(`${INVITATIONS}/show`, { secret: 1 })).status).toBe(400);
    expect(
      (
        await pages.send(
          'POST',
          `/app/~session${INVITATIONS}/show`,
          { secret: secretOf(url) },
          { 'sec-fetch-site': 'cross-site' },
        )
      ).status,
    ).toBe(403);
    // The secret is stored nowhere, and not logged.
    await pages.post(`${INVITATIONS}/show`, { secret: secretOf(url) });
    const logged = JSON.stringify([server.auditLines(), server.logLines()]);
    expect(logged).not.toContain(secretOf(url));
  });

  it('an account is created by the browser that started, with the question of this link', async () => {
    const [one, two] = [
      secretOf((await linkOf(server, await invite(server, 'acme', 'one@example.org'))).url),
      secretOf((await linkOf(server, await invite(server, 'acme', 'two@example.org'))).url),
    ];
    const pages = new ConsolePages(server);
    const asked = await pages.post(`${INVITATIONS}/account/options`, { secret: one, username: 'fixed' });
    const response = new Authenticator(pages.origin).create(asked.body.options);
    const other = new ConsolePages(server);
    expect((await other.post(`${INVITATIONS}/account`, { secret: one, response, name: 'x' })).status).toBe(403);
    expect((await pages.post(`${INVITATIONS}/account`, { secret: two, response, name: 'x' })).status).toBe(403);
    // The question is used up.
    expect((await pages.post(`${INVITATIONS}/account`, { secret: one, response, name: 'x' })).status).toBe(403);
    const forged = await join(pages, one, 'fixed');
    expect(forged.status).toBe(201);
  });
});

describe.each(databaseKinds)('emails with invitations on %s', (kind) => {
  let server: TestServer;
  let smtp: TestSmtp;

  beforeAll(async () => {
    smtp = await startSmtp();
    const { login, ...settings } = smtp.settings;
    server = await startTestServer(kind, {
      services: SERVICES,
      publicAddress: 'https://localhost:9999',
      smtp: {
        ...settings,
        ...(login && { login: { username: login.username, password: { text: login.password } } }),
        authoritiesFile: smtp.caFile,
        recipientDomains: [],
        timeoutSeconds: 10,
      } as NonNullable<TestServerOptions['smtp']>,
    });
    await organization(server, 'acme');
  });
  afterAll(async () => {
    await server?.stop();
    await smtp?.stop();
  });

  /** Returns the secret in the email to an address. */
  async function mailed(address: string): Promise<string> {
    await expect.poll(() => smtp.to(address).length, POLL).toBe(1);
    const text = smtp.to(address)[0]?.source.replaceAll(/=\r\n/g, '') ?? '';
    return /https:\/\/localhost:9999\/app\/~invitation#([\w-]{43})/.exec(text)?.[1] ?? '';
  }
  const pagesOf = () => new ConsolePages(server, 'localhost:9999');

  it('prove the mailbox: the account gets the address, and sees its other invitations', async () => {
    const other = await organization(server, 'other');
    await invite(server, 'acme', 'Mary@example.org');
    await invite(server, 'other', 'mary@example.org', [other]);
    await expect.poll(() => smtp.to('mary@example.org').length, POLL).toBe(2);
    const source = smtp.to('mary@example.org').map((mail) => mail.source.replaceAll(/=\r\n/g, ''));
    const toAcme = source.find((text) => text.includes('Subject: Invitation to acme')) ?? '';
    expect(toAcme).toContain('first invites you to the organization acme');
    const secret = /~invitation#([\w-]{43})/.exec(toAcme)?.[1] ?? '';
    const pages = pagesOf();
    const made = await join(pages, secret, 'mary');
    expect(made.status, made.text).toBe(201);
    const { attributes } = (await pages.send('GET', '/api/v2/account/details')).body.data;
    expect(attributes).toMatchObject({ email: 'mary@example.org', 'unconfirmed-email': null });
    const open = await pages.send('GET', '/api/v2/organization-memberships?filter[status]=invited');
    expect(open.body.data).toHaveLength(1);
    const [{ id }] = open.body.data;
    expect((await pages.send('POST', `/api/v2/organization-memberships/${id}/actions/accept`)).status).toBe(204);
  });

  it('do not take the address of a user who has it', async () => {
    await newUser(server, 'joan');
    await invite(server, 'acme', 'joan@example.com');
    const pages = pagesOf();
    expect((await join(pages, await mailed('joan@example.com'), 'joan-2')).status).toBe(201);
    const { attributes } = (await pages.send('GET', '/api/v2/account/details')).body.data;
    expect(attributes.email).toMatch(/@no-address\.invalid$/);
    const [own] = (await pages.send('GET', '/api/v2/organization-memberships')).body.data;
    expect(own.attributes.email).toBe(attributes.email);
  });

  it('the link that the inviter copies does not end the one in the email, and uses up both', async () => {
    const id = await invite(server, 'acme', 'lin@example.org');
    const inMail = await mailed('lin@example.org');
    const link = await linkOf(server, id);
    expect(link['is-mailed']).toBe(true);
    expect(link.url).toMatch(/^https:\/\/localhost:9999\/app\/~invitation#/);
    expect((await pagesOf().post(`${INVITATIONS}/show`, { secret: inMail })).status).toBe(200);
    expect((await join(pagesOf(), secretOf(link.url), 'lin')).status).toBe(201);
    expect((await pagesOf().post(`${INVITATIONS}/show`, { secret: inMail })).status).toBe(404);
  });

  it('are announced as long as their link works', async () => {
    const id = await invite(server, 'acme', 'ida@example.org');
    const secret = await mailed('ida@example.org');
    server.advance(DAY + 1);
    // The next invitation deletes the emails of the day before.
    await invite(server, 'acme', 'eve@example.org');
    await mailed('eve@example.org');
    expect((await linkOf(server, id))['is-mailed']).toBe(true);
    expect((await pagesOf().post(`${INVITATIONS}/show`, { secret })).status).toBe(200);
    server.advance(6 * DAY);
    expect((await linkOf(server, id))['is-mailed']).toBe(false);
  });

  it('are not announced after the server gave them up', async () => {
    smtp.refuses.set('nobody@example.org', 550);
    const id = await invite(server, 'acme', 'nobody@example.org');
    await expect.poll(async () => (await linkOf(server, id))['is-mailed'], POLL).toBe(false);
    expect(smtp.to('nobody@example.org')).toEqual([]);
  });

  it('are limited for each organization, and for each user in all organizations', async () => {
    const grace = await newUser(server, 'grace');
    server.advance(DAY + 1);
    const inviteAs = async (token: string, name: string, email: string) => {
      const path = `/api/v2/organizations/${name}/organization-memberships`;
      return (await server.call('POST', path, { token, body: membership(email) })).body.data.id as string;
    };
    const isMailed = async (token: string, id: string) =>
      (await server.call('POST', `/api/v2/organization-memberships/${id}/actions/create-link`, { token })).body.data
        .attributes['is-mailed'];
    for (const name of ['many', 'more']) {
      await organization(server, name);
      const [owners] = (await server.user('GET', `/api/v2/organizations/${name}/teams?filter[names]=owners`)).body.data;
      const secret = secretOf((await linkOf(server, await invite(server, name, 'grace@example.com', [owners.id]))).url);
      const accept = { token: grace.token, body: byLink(secret) };
      expect((await server.call('POST', '/api/v2/invitation-links/actions/accept', accept)).status).toBe(204);
    }
    // Two by the first user until here, who sends 60 more; the organization has 98 left.
    for (let at = 0; at < 60; at++) {
      const id = await invite(server, 'many', `user-${at}@many.example.org`);
      // Withdrawn invitations count too.
      if (at < 3) await server.user('DELETE', `/api/v2/organization-memberships/${id}`);
    }
    for (let at = 0; at < 39; at++) await inviteAs(grace.token, 'many', `guest-${at}@many.example.org`);
    const over = await inviteAs(grace.token, 'many', 'over@many.example.org');
    expect(await isMailed(grace.token, over)).toBe(false);
    expect(await isMailed(grace.token, await inviteAs(grace.token, 'more', 'one@more.example.org'))).toBe(true);
    const { userToken } = server;
    for (let at = 0; at < 38; at++) await inviteAs(userToken, 'more', `user-${at}@more.example.org`);
    expect(await isMailed(userToken, await inviteAs(userToken, 'more', 'over@more.example.org'))).toBe(false);
    expect(await isMailed(grace.token, await inviteAs(grace.token, 'more', 'two@more.example.org'))).toBe(true);
  });
});

describe('a site', () => {
  const signIn = {
    ...{ sessionIdle: 3600, sessionLifetime: 7200, reauthenticateAfter: 3600, organizationProviders: true },
  };
  it.each<[string, NonNullable<TestServerOptions['signIn']>]>([
    ['whose operator forbids it', { ...signIn, invitedAccounts: false }],
    ['without passkeys', { ...signIn, passkeys: false }],
  ])('%s creates no accounts by links', async (_what, options) => {
    const server = await startTestServer('sqlite', { services: SERVICES, signIn: options });
    try {
      await organization(server, 'acme');
      const secret = secretOf((await linkOf(server, await invite(server, 'acme', 'a@example.org'))).url);
      const pages = new ConsolePages(server);
      expect((await pages.post(`${INVITATIONS}/show`, { secret })).body.accounts).toBe(false);
      const refused = await join(pages, secret, 'ada');
      expect([refused.status, refused.body.errors[0]]).toEqual([403, expect.stringContaining('Ask its operator')]);
      const { token } = await newUser(server, 'grace');
      const accepted = await server.call('POST', '/api/v2/invitation-links/actions/accept', {
        token,
        body: byLink(secret),
      });
      expect(accepted.status).toBe(204);
    } finally {
      await server.stop();
    }
  });
});
