import { afterEach, describe, expect, it } from 'vitest';
import { InvitationUses } from '../../../src/workspaces/tenancy/invitation/uses.ts';
import { databaseKinds } from '../../support/databases.ts';
import { startSmtp, type TestSmtp } from '../../support/mail/smtp.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/server.ts';
import { ConsolePages } from '../../support/sign-in/console-pages.ts';
import { Authenticator } from '../../support/sign-in/passkey.ts';

const SERVICES = ['access', 'workspaces', 'console'] as const;
const HOST = 'localhost:9999';
const DAY = 24 * 3600;
const SIGN_IN = {
  ...{ sessionIdle: 3600, sessionLifetime: 7200, reauthenticateAfter: 3600, organizationProviders: true },
};

const resource = (type: string, attributes: object) => ({ data: { type, attributes } });

describe.each(databaseKinds)('daily limits of invitations on %s', (kind) => {
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  async function start(limits: { invitationsPerDay?: number; invitedAccountsPerDay?: number } = {}) {
    const smtp: TestSmtp = await startSmtp();
    stops.push(() => smtp.stop());
    const { login, ...settings } = smtp.settings;
    const { invitationsPerDay, invitedAccountsPerDay } = limits;
    const options: TestServerOptions = {
      services: SERVICES,
      publicAddress: `https://${HOST}`,
      smtp: {
        ...settings,
        ...(login && { login: { username: login.username, password: { text: login.password } } }),
        authoritiesFile: smtp.caFile,
        recipientDomains: [],
        timeoutSeconds: 10,
        ...(invitationsPerDay && { invitationsPerDay }),
      } as NonNullable<TestServerOptions['smtp']>,
      ...(invitedAccountsPerDay && { signIn: { ...SIGN_IN, invitedAccountsPerDay } }),
    };
    const server = await startTestServer(kind, options);
    stops.push(() => server.stop());
    const node = await startTestServer(kind, { ...options, beside: server });
    stops.push(() => node.stop());
    return { server, node, smtp };
  }

  async function organization(server: TestServer, name: string, token = server.userToken) {
    const body = resource('organizations', { name, email: 'a@example.com' });
    expect((await server.call('POST', '/api/v2/organizations', { token, body })).status).toBe(201);
  }

  async function newUser(server: TestServer, username: string): Promise<string> {
    await server.application.workspaces.tenancy.users.create({ username, email: `${username}@example.com` });
    return tokenOf(server, username);
  }

  async function tokenOf(server: TestServer, username: string): Promise<string> {
    const { tenancy } = server.application.workspaces;
    const { id = '' } = (await tenancy.users.byUsername(username)) ?? {};
    return (await tenancy.tokens.issue(id, { description: '', expiresAt: null })).text;
  }

  /** Creates a team that manages members, and its token. */
  async function teamToken(server: TestServer, name: string, team: string): Promise<string> {
    const access = { name: team, 'organization-access': { 'manage-membership': true } };
    const made = await server.user('POST', `/api/v2/organizations/${name}/teams`, resource('teams', access));
    expect(made.status).toBe(201);
    const token = await server.user('POST', `/api/v2/teams/${made.body.data.id}/authentication-token`);
    return token.body.data.attributes.token;
  }

  async function invite(server: TestServer, token: string, name: string, email: string): Promise<string> {
    const body = resource('organization-memberships', { email });
    const path = `/api/v2/organizations/${name}/organization-memberships`;
    const { status, text, body: made } = await server.call('POST', path, { token, body });
    expect(status, text).toBe(201);
    return made.data.id;
  }

  async function linkOf(server: TestServer, id: string, token = server.userToken) {
    const made = await server.call('POST', `/api/v2/organization-memberships/${id}/actions/create-link`, { token });
    expect(made.status).toBe(201);
    return made.body.data.attributes as { url: string; 'is-mailed': boolean };
  }
  const isMailed = async (server: TestServer, id: string, token?: string) =>
    (await linkOf(server, id, token))['is-mailed'];

  /** Creates an account by a link. */
  async function join(pages: ConsolePages, secret: string, username: string) {
    const asked = await pages.post('/invitations/account/options', { secret, username });
    if (asked.status !== 200) return asked;
    const response = new Authenticator(pages.origin).create(asked.body.options);
    return pages.post('/invitations/account', { secret, response, name: 'laptop' });
  }

  it('count emails of all tokens together for the user who created the organization, also after it was deleted', async () => {
    const { server, node } = await start();
    for (let round = 0; round < 4; round++) {
      // Each round has new organizations, teams and tokens.
      await organization(server, 'cannon');
      const one = await teamToken(server, 'cannon', 'one');
      const other = await teamToken(server, 'cannon', 'other');
      const answered = await server.user('POST', '/api/v2/organizations/cannon/authentication-token');
      const ofOrganization = answered.body.data.attributes.token;
      for (let at = 0; at < 25; at++) {
        const token = [one, other, ofOrganization][at % 3] ?? one;
        const id = await invite(
          at % 2 === 0 ? server : node,
          token,
          'cannon',
          `victim-${at}@round-${round}.example.org`,
        );
        if (at === 24) expect(await isMailed(server, id)).toBe(true);
      }
      expect((await server.user('DELETE', '/api/v2/organizations/cannon')).status).toBe(204);
    }
    await organization(server, 'cannon');
    await organization(server, 'second-cannon');
    for (const name of ['cannon', 'second-cannon']) {
      const token = await teamToken(server, name, 'more');
      expect(await isMailed(server, await invite(node, token, name, 'over@example.org'))).toBe(false);
    }
    // The user has the own invitations still.
    expect(await isMailed(server, await invite(server, server.userToken, 'cannon', 'own@example.org'))).toBe(true);
    // Another user sends in their own organization.
    const grace = await newUser(server, 'grace');
    await organization(server, 'honest', grace);
    expect(await isMailed(server, await invite(server, grace, 'honest', 'colleague@example.org'), grace)).toBe(true);
    for (const one of [server, node]) one.advance(DAY + 1);
    const next = await teamToken(server, 'cannon', 'next');
    expect(await isMailed(server, await invite(server, next, 'cannon', 'next@example.org'))).toBe(true);
  });

  it('count emails for the server', async () => {
    const { server, node } = await start({ invitationsPerDay: 3 });
    const grace = await newUser(server, 'grace');
    await organization(server, 'acme');
    await organization(server, 'other', grace);
    for (const at of [1, 2]) await invite(server, server.userToken, 'acme', `user-${at}@example.org`);
    // One of two at the same time is the last.
    const ids = await Promise.all([
      invite(server, grace, 'other', 'user-3@example.org'),
      invite(node, grace, 'other', 'user-4@example.org'),
    ]);
    const mailed = await Promise.all(ids.map((id) => isMailed(server, id, grace)));
    expect(mailed.toSorted()).toEqual([false, true]);
    const refused = 'an invitation was not sent by email, because a daily limit is reached';
    const logged = [...server.logLines(), ...node.logLines()].filter(({ msg }) => msg === refused);
    expect(logged).toEqual([expect.objectContaining({ limit: 'server', membership: ids[mailed.indexOf(false)] })]);
    for (const one of [server, node]) one.advance(DAY + 1);
    expect(await isMailed(server, await invite(node, grace, 'other', 'user-5@example.org'), grace)).toBe(true);
  });

  it('count emails of one user to one address', async () => {
    const { server, smtp } = await start();
    for (let at = 0; at < 6; at++) {
      await organization(server, `bomb-${at}`);
      const id = await invite(
        server,
        server.userToken,
        `bomb-${at}`,
        at % 2 ? 'Victim@example.org' : 'victim@example.org',
      );
      expect(await isMailed(server, id)).toBe(at < 5);
    }
    await expect.poll(() => smtp.to('victim@example.org').length, { timeout: 20_000 }).toBe(5);
    // The answer depends on the own invitations only, so that it reveals none of other people.
    const grace = await newUser(server, 'grace');
    await organization(server, 'honest', grace);
    expect(await isMailed(server, await invite(server, grace, 'honest', 'victim@example.org'), grace)).toBe(true);
  });

  it('count accounts that links create, for the server; a link stays valid', async () => {
    const { server, node } = await start({ invitedAccountsPerDay: 2 });
    await organization(server, 'acme');
    const secrets: string[] = [];
    for (let at = 0; at < 3; at++) {
      const { url } = await linkOf(server, await invite(server, server.userToken, 'acme', `new-${at}@example.org`));
      secrets.push(url.split('#')[1] ?? '');
    }
    const [one = '', two = '', three = ''] = secrets;
    expect((await join(new ConsolePages(server, HOST), one, 'new-0')).status).toBe(201);
    // The question of the last one was asked before the others had their accounts.
    const early = new ConsolePages(node, HOST);
    const asked = await early.post('/invitations/account/options', { secret: three, username: 'new-2' });
    expect((await join(new ConsolePages(node, HOST), two, 'new-1')).status).toBe(201);
    const response = new Authenticator(early.origin).create(asked.body.options);
    for (const refused of [
      await early.post('/invitations/account', { secret: three, response, name: 'laptop' }),
      await join(new ConsolePages(server, HOST), three, 'new-2'),
    ]) {
      expect([refused.status, refused.body.errors[0]]).toEqual([429, expect.stringContaining('The link stays valid')]);
    }
    expect((await new ConsolePages(server, HOST).post('/invitations/show', { secret: three })).status).toBe(200);
    for (const one of [server, node]) one.advance(DAY + 1);
    expect((await join(new ConsolePages(server, HOST), three, 'new-2')).status).toBe(201);
  });

  it('count accounts for the user whose invitations create them, also after the organization was deleted', async () => {
    const { server, node } = await start();
    let last = '';
    for (let at = 0; at <= 100; at++) {
      const name = `farm-${Math.floor(at / 40)}`;
      if (at % 40 === 0) await organization(server, name);
      const id = await invite(server, server.userToken, name, `bot-${at}@example.org`);
      last = (await linkOf(server, id)).url.split('#')[1] ?? '';
      if (at === 100) break;
      expect((await join(new ConsolePages(at % 2 ? server : node, HOST), last, `bot-${at}`)).status).toBe(201);
      if (at % 40 === 39) expect((await server.user('DELETE', `/api/v2/organizations/${name}`)).status).toBe(204);
    }
    expect((await join(new ConsolePages(server, HOST), last, 'bot-100')).status).toBe(429);
    const refused = 'an invitation created no account, because a daily limit is reached';
    const [noted] = server.logLines().filter(({ msg }) => msg === refused);
    expect(noted).toMatchObject({ organization: expect.stringMatching(/^org-/), limit: 'inviter' });
    // Invitations by such an account, in an organization of its own, count for the same user.
    const bot = await tokenOf(server, 'bot-0');
    await organization(server, 'bots', bot);
    const further = await linkOf(server, await invite(server, bot, 'bots', 'further@example.org'), bot);
    expect(further['is-mailed']).toBe(false);
    expect((await join(new ConsolePages(node, HOST), further.url.split('#')[1] ?? '', 'further')).status).toBe(429);
    const grace = await newUser(server, 'grace');
    await organization(server, 'honest', grace);
    const { url } = await linkOf(server, await invite(server, grace, 'honest', 'lin@example.org'), grace);
    expect((await join(new ConsolePages(server, HOST), url.split('#')[1] ?? '', 'lin')).status).toBe(201);
  });

  it('count emails and accounts for an organization', async () => {
    const { server } = await start();
    const { database } = server.application.workspaces;
    const [clock, none] = [() => 1_000, () => {}];
    const uses = new InvitationUses({ database, clock, limits: {}, report: none, note: none });
    const used = (user: string, organizationId = 'org-1') => ({ organizationId, invitedBy: user });
    for (let at = 0; at < 100; at++) {
      const by = used(`user-${at % 2}`);
      const limit = await database.transaction(async (tx) => {
        await uses.countAccount(tx, by, `user-new-${at}`);
        return uses.countEmail(tx, by, `${at}@example.org`);
      });
      expect(limit).toBeUndefined();
    }
    const third = (organizationId: string) =>
      database.transaction((tx) => uses.countEmail(tx, used('user-2', organizationId), 'more@example.org'));
    expect([await third('org-1'), await third('org-2')]).toEqual(['organization', undefined]);
    await expect(uses.assertAccount(database, used('user-2'))).rejects.toMatchObject({ kind: 'too-many-requests' });
    await uses.assertAccount(database, used('user-2', 'org-2'));
  });

  it('need only the rows of a day', async () => {
    const { server, node } = await start();
    await organization(server, 'acme');
    const { url } = await linkOf(server, await invite(server, server.userToken, 'acme', 'ada@example.org'));
    expect((await join(new ConsolePages(server, HOST), url.split('#')[1] ?? '', 'ada')).status).toBe(201);
    await linkOf(server, await invite(server, server.userToken, 'acme', 'late@example.org'));
    const { background, database } = node.application.workspaces;
    const tables = ['invitation_use', 'invitation_mail', 'invitation_link'];
    const rows = async () => {
      const columns = tables.map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`).join(', ');
      const sql = `SELECT ${columns}, (SELECT COUNT(*) FROM invitation_mail WHERE due_at IS NOT NULL) AS waiting`;
      const [counts] = await database.dynamic<Record<string, number>>({ sql, parameters: [] });
      return [...tables, 'waiting'].map((name) => Number(counts?.[name]));
    };
    const swept = async () => {
      await background.find((work) => work instanceof InvitationUses)?.sweep();
      return rows();
    };
    // Two emails and an account. No email waits: an attempt after a day would create a link that is newer.
    await expect.poll(swept, { timeout: 20_000 }).toEqual([3, 2, 2, 0]);
    for (const one of [server, node]) one.advance(DAY + 1);
    expect(await swept()).toEqual([0, 0, 2, 0]);
    for (const one of [server, node]) one.advance(6 * DAY);
    expect(await swept()).toEqual([0, 0, 0, 0]);
  });
});
