import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TICKET_TTL } from '../../../../src/workspaces/tenancy/login/invitations.ts';
import { databaseKinds } from '../../../support/databases.ts';
import type { Answer } from '../../../support/http.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PAGE = '/app/invitations';
const ANSWERS = '/app/invitations/answers';
const TOKENS = '/app/settings/tokens';

describe.each(databaseKinds)('invitations in the browser, on %s', (kind) => {
  let server: TestServer;
  let invited: string;
  beforeAll(async () => {
    server = await startTestServer(kind);
    const { users, tokens } = server.application.workspaces.tenancy;
    const { id } = await users.create({ username: 'guest', email: 'guest@example.com' });
    invited = (await tokens.issue(id, { description: '', expiresAt: null })).text;
    for (const name of ['alpha', 'beta', 'gamma']) await invite(name);
  });
  afterAll(() => server.stop());

  async function invite(name: string): Promise<void> {
    const founded = await server.user('POST', '/api/v2/organizations', {
      data: { type: 'organizations', attributes: { name, email: 'a@example.com' } },
    });
    expect(founded.status).toBe(201);
    const made = await server.user('POST', `/api/v2/organizations/${name}/organization-memberships`, {
      data: { type: 'organization-memberships', attributes: { email: 'guest@example.com' } },
    });
    expect(made.status).toBe(201);
  }
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> =>
    server.call('POST', path, { body: new URLSearchParams(fields).toString(), headers: { ...FORM, ...headers } });
  const shown = () => post(PAGE, { token: invited });
  const organizations = async () => {
    const { body } = await server.call('GET', '/api/v2/organizations', { token: invited });
    return body.data.map(({ id }: { id: string }) => id);
  };
  /** Fields of the form for an organization. */
  function formFor(name: string, { text }: Answer): Record<string, string> {
    const form = text.split('<form').find((part) => part.includes(`<strong>${name}</strong>`)) ?? '';
    const value = (field: string) => new RegExp(`name="${field}" value="([^"]+)"`).exec(form)?.[1] ?? '';
    return { ticket: value('ticket'), invitation: value('invitation') };
  }

  it('require a token, in a page without scripts', async () => {
    const page = await server.call('GET', PAGE);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).not.toContain('<script');
    expect((await server.call('GET', TOKENS)).text).toContain(`href="${PAGE}"`);
    for (const token of ['', 'lku.wrong', server.rootToken]) {
      const refused = await post(PAGE, { token });
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('This token is unknown');
      expect(refused.text).not.toContain('alpha');
    }
    expect((await post(PAGE, { token: server.userToken })).text).toContain('You have no open invitations');
  });

  it('are shown after a sign-in, and accepted and declined there', async () => {
    const issued = await post(TOKENS, { token: invited, description: 'x', lifetime: '1d' });
    for (const name of ['alpha', 'beta', 'gamma']) expect(issued.text).toContain(`<strong>${name}</strong>`);
    expect(issued.text).not.toContain(invited);
    expect(await organizations()).toEqual([]);

    const accepted = await post(ANSWERS, { ...formFor('alpha', issued), answer: 'accept' });
    expect([accepted.status, accepted.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(accepted.text).toContain('You are a member now');
    expect(accepted.text).not.toContain('<strong>alpha</strong>');
    expect(await organizations()).toEqual(['alpha']);
    const declined = await post(ANSWERS, { ...formFor('beta', accepted), answer: 'decline' });
    expect(declined.text).toContain('Invitation declined');
    expect((await shown()).text).not.toContain('<strong>beta</strong>');
    expect((await shown()).text).toContain('<strong>gamma</strong>');
    expect(await organizations()).toEqual(['alpha']);
    // A second response to the invitation gets 404.
    expect((await post(ANSWERS, { ...formFor('alpha', issued), answer: 'accept' })).status).toBe(404);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' }],
    [{ origin: 'https://evil.example.com' }],
    [{ origin: 'null' }],
  ])('are not accepted or declined by a form of another site: %j', async (headers) => {
    const form = { ...formFor('gamma', await shown()), answer: 'accept' };
    expect((await post(ANSWERS, form, headers)).status).toBe(403);
    expect((await post(PAGE, { token: invited }, headers)).status).toBe(403);
    expect(await organizations()).toEqual(['alpha']);
  });

  it('require a ticket of the same user, for a limited time', async () => {
    const { ticket: made = '', ...rest } = formFor('gamma', await shown());
    const form: Record<string, string> = { ...rest, ticket: made, answer: 'accept' };
    const [user = '', end = '', hash = ''] = made.split('.');
    for (const ticket of [
      '',
      'x',
      `${server.userId}.${end}.${hash}`,
      `${user}.${Number(end) + 1}.${hash}`,
      `${user}.${end}.${hash.slice(0, -1)}`,
      `${user}.${end}.${'A'.repeat(43)}`,
    ]) {
      expect((await post(ANSWERS, { ...form, ticket })).status, ticket).toBe(403);
    }
    const other = await post(TOKENS, { token: server.userToken, description: 'x', lifetime: '1d' });
    expect(other.text).not.toContain('gamma');
    expect((await post(ANSWERS, { ...form, answer: 'perhaps' })).status).toBe(400);
    expect((await post(ANSWERS, { ...form, invitation: 'ou-none' })).status).toBe(404);
    server.advance(TICKET_TTL / 1000);
    expect((await post(ANSWERS, form)).status).toBe(403);
    expect(await organizations()).toEqual(['alpha']);
    expect((await post(ANSWERS, { ...formFor('gamma', await shown()), answer: 'accept' })).status).toBe(200);
    expect(await organizations()).toEqual(['alpha', 'gamma']);
  });

  it('leave the user in the audit log, and no token or ticket', async () => {
    const page = await shown();
    expect(page.status).toBe(200);
    const text = JSON.stringify([server.logLines(), server.auditLines()]);
    expect(text).not.toContain(invited);
    const lines = server.logLines().filter(({ route }) => route === ANSWERS);
    expect(lines.some(({ actor_name, status }) => actor_name === 'guest' && status === 200)).toBe(true);
  });
});
