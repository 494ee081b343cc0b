import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../../support/databases.ts';
import { startSmtp, type TestSmtp } from '../../../../support/mail/smtp.ts';
import type { Receiver } from '../../../../support/receiver.ts';
import type { TestApi, UserCaller } from '../../support/api.ts';
import { notificationsOf, startNotifying } from '../../support/notifications.ts';
import {
  invite,
  issuesOf,
  joinOrganization,
  joinTeam,
  newTeamMember,
  type TestOrganization,
} from '../../support/organization.ts';
import type { TestRuns } from '../../support/runs.ts';
import { onWorkspace } from '../../support/team-access.ts';

const HOUR = 3_600_000;

describe.each(databaseKinds)('notifications by email on %s', (kind) => {
  let smtp: TestSmtp;
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  let readers: string;
  let names = 0;
  const noted: (readonly [object, string])[] = [];
  beforeAll(async () => {
    smtp = await startSmtp();
    const mail = { ...smtp.settings, recipientDomains: ['lists.example.org'] };
    ({ api, receiver, acme, runs } = await startNotifying(kind, (...given) => void noted.push(given), mail));
    readers = await acme.team('readers', { 'read-workspaces': true });
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
    await smtp.stop();
  });
  afterEach(() => {
    smtp.received.length = 0;
    smtp.refuses.clear();
    smtp.refusesMessages = undefined;
  });

  const { newWorkspace, postTo, createIn, show, deliver } = notificationsOf(() => ({ api, receiver, acme, runs }));
  const member = async (): Promise<UserCaller> => {
    const user = await api.user(`member-${kind}-${++names}`);
    await joinOrganization(acme, user);
    await joinTeam(api, readers, user.id);
    return user;
  };
  const usersOf = (users: readonly { readonly id: string }[]) => ({
    relationships: { users: { data: users.map(({ id }) => ({ type: 'users', id })) } },
  });
  const email = (more: object = {}) => ({
    ...{ name: 'Mail', 'destination-type': 'email', enabled: true, triggers: ['run:created'] },
    ...more,
  });
  const addressOf = ({ username }: UserCaller) => `${username}@example.com`;
  const patch = (id: string, attributes: object, more: object = {}) =>
    acme.owner.call('PATCH', `/notification-configurations/${id}`, {
      data: { type: 'notification-configurations', attributes, ...more },
    });
  const lastOf = async (id: string) => (await show(id)).attributes['delivery-responses'][0];

  test('go to members and to allowed addresses, as text and as escaped HTML', async () => {
    const workspace = await newWorkspace();
    const [ada, ben] = [await member(), await member()];
    const more = email({ 'email-addresses': ['ops@lists.example.org'] });
    const made = await createIn(`workspaces/${workspace}`, more, usersOf([ada, ben]));
    expect(made.attributes).toMatchObject({ 'email-addresses': ['ops@lists.example.org'], url: null, notice: null });
    expect(made.relationships.users.data).toEqual([ada, ben].map(({ id }) => ({ type: 'users', id })));
    await runs.create(workspace, { message: 'Add <script>alert(1)</script> & "more"\r\nBcc: eve@example.com' });
    await deliver();
    expect(smtp.received).toHaveLength(1);
    const [mail] = smtp.received;
    expect(mail?.to.toSorted()).toEqual([addressOf(ada), addressOf(ben), 'ops@lists.example.org'].toSorted());
    expect(mail?.source).toContain('&lt;script&gt;');
    expect(mail?.source.split('text/html')[1]).not.toContain('<script>');
    expect(mail?.source.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/m);
    expect(mail?.source).toMatch(/^Subject: acme-\d+\/n-\d+: Run created\r$/m);
    expect(mail?.source).toContain(made.id);
    expect(await lastOf(made.id)).toMatchObject({ code: '250', successful: 'true' });
    await deliver();
    expect(smtp.received).toHaveLength(1);
  });

  test('go to no strangers', async () => {
    const workspace = await newWorkspace();
    const stranger = await api.user(`stranger-${kind}`);
    const refused = await postTo(`workspaces/${workspace}`, email({ 'email-addresses': ['eve@evil.example.com'] }));
    expect(refused.status).toBe(422);
    expect(issuesOf(refused)).toEqual([expect.stringContaining('This server sends no email to eve@evil.example.com')]);
    // A subdomain, and a domain in the local part, are not the domain.
    for (const address of [
      'a@x.lists.example.org',
      'lists.example.org@evil.example.com',
      '"a@lists.example.org"@b.c',
    ]) {
      expect((await postTo(`workspaces/${workspace}`, email({ 'email-addresses': [address] }))).status).toBe(422);
    }
    const users = await postTo(
      `workspaces/${workspace}`,
      email(),
      acme.owner,
      usersOf([stranger, { id: 'user-none' }]),
    );
    expect(users.status).toBe(422);
    expect(issuesOf(users)).toEqual([expect.stringContaining(`/data/relationships/users: `)]);
    const team = await acme.team(`mail-${++names}`);
    const outside = await postTo(`teams/${team}`, email(), acme.owner, usersOf([await member()]));
    expect(outside.status, 'a member of the organization, not of the team').toBe(422);
  });

  test('go to no invited user, whose address nobody has confirmed', async () => {
    const workspace = await newWorkspace();
    const invited = await invite(acme.owner, acme.name, `victim-${kind}@example.net`);
    const user = invited.body.data.relationships.user.data;
    const { id } = await createIn(`workspaces/${workspace}`, email(), usersOf([user]));
    await runs.run(workspace);
    await deliver();
    expect(smtp.received).toEqual([]);
    const answer = await acme.owner.call('POST', `/notification-configurations/${id}/actions/verify`);
    expect(answer.status).toBe(400);
    expect(smtp.received).toEqual([]);
  });

  test('go to no user who has left the organization or the team', async () => {
    const workspace = await newWorkspace();
    const [ada, ben] = [await member(), await api.user(`leaver-${kind}`)];
    const membership = await joinOrganization(acme, ben);
    const team = await acme.team(`mail-${++names}`);
    const { id } = await createIn(`workspaces/${workspace}`, email(), usersOf([ada, ben]));
    await runs.run(workspace);
    // The message waits already.
    expect((await acme.owner.call('DELETE', `/organization-memberships/${membership}`)).status).toBe(204);
    await deliver();
    expect(smtp.received.flatMap(({ to }) => to)).toEqual([addressOf(ada)]);
    expect((await show(id)).relationships.users.data).toEqual([{ type: 'users', id: ada.id }]);

    const cleo = await newTeamMember(api, team, `cleo-${kind}`);
    const ofTeam = await createIn(`teams/${team}`, email(), usersOf([cleo]));
    const removed = await acme.owner.call('DELETE', `/teams/${team}/relationships/users`, {
      data: [{ type: 'users', id: cleo.username }],
    });
    expect(removed.status, removed.text).toBe(204);
    expect((await acme.owner.call('POST', `/notification-configurations/${ofTeam.id}/actions/verify`)).status).toBe(
      400,
    );
  });

  test('go to no user who has lost access to the workspace, as its administrators see', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const [ada, ben] = [await member(), await api.user(`mover-${kind}`)];
    await joinOrganization(acme, ben);
    const team = await acme.team(`mail-${++names}`);
    await joinTeam(api, team, ben.id);
    const grantOn = (id: string, access: string) =>
      acme.owner.call('POST', '/team-workspaces', onWorkspace(team, id, { access }));
    const grant = (await grantOn(workspace, 'read')).body.data.id;
    const all = await createIn(`organizations/${acme.name}`, email(), usersOf([ada, ben]));
    await runs.create(workspace);
    await deliver();
    expect(smtp.received.flatMap(({ to }) => to).toSorted()).toEqual([addressOf(ada), addressOf(ben)].toSorted());

    // The message waits already when the access ends.
    smtp.received.length = 0;
    await runs.create(workspace);
    expect((await acme.owner.call('DELETE', `/team-workspaces/${grant}`)).status).toBe(204);
    await grantOn(other, 'admin');
    await deliver();
    expect(smtp.received.flatMap(({ to }) => to)).toEqual([addressOf(ada)]);
    const shown = await lastOf(all.id);
    expect(shown).toMatchObject({ successful: 'true', code: '250' });
    expect(shown.body).toContain(`${ben.id}: left out, because the user may not read the workspace`);
    expect(smtp.received[0]?.source).not.toContain(ben.id);

    smtp.received.length = 0;
    await runs.create(other);
    await deliver();
    expect(smtp.received.flatMap(({ to }) => to).toSorted()).toEqual([addressOf(ada), addressOf(ben)].toSorted());
    await acme.owner.call('DELETE', `/notification-configurations/${all.id}`);

    // A user without any team is still a member of the organization.
    const own = await createIn(`workspaces/${workspace}`, email(), usersOf([ben]));
    const removed = await acme.owner.call('DELETE', `/teams/${team}/relationships/users`, {
      data: [{ type: 'users', id: ben.username }],
    });
    expect(removed.status).toBe(204);
    smtp.received.length = 0;
    await runs.create(workspace);
    await deliver();
    expect(smtp.received).toEqual([]);
    expect((await lastOf(own.id)).body).toContain(`${ben.id}: left out`);
  });

  test('reach an address once, from all scopes', async () => {
    const workspace = await newWorkspace();
    const [ada, ben] = [await member(), await member()];
    const all = await createIn(`organizations/${acme.name}`, email({ name: 'All' }), usersOf([ada, ben]));
    const own = await createIn(`workspaces/${workspace}`, email({ name: 'Own' }), usersOf([ada]));
    await runs.run(workspace);
    await deliver();
    expect(smtp.received.flatMap(({ to }) => to).toSorted()).toEqual([addressOf(ada), addressOf(ben)].toSorted());
    expect(smtp.to(addressOf(ada))[0]?.source).toContain(own.id);
    expect(smtp.to(addressOf(ben))[0]?.source).toContain(all.id);
    await acme.owner.call('DELETE', `/notification-configurations/${all.id}`);
  });

  test('try again only those recipients that the server postponed', async () => {
    const workspace = await newWorkspace();
    const [ada, ben, cleo] = [await member(), await member(), await member()];
    const { id } = await createIn(`workspaces/${workspace}`, email(), usersOf([ada, ben, cleo]));
    smtp.refuses.set(addressOf(ben), 450).set(addressOf(cleo), 550);
    await runs.run(workspace);
    await deliver();
    expect(smtp.received.flatMap(({ to }) => to)).toEqual([addressOf(ada)]);
    const first = await lastOf(id);
    expect(first).toMatchObject({ successful: 'false', code: '250' });
    expect(first.body).toContain('1 of 3 recipients accepted');
    expect(first.body).toContain(`${cleo.id}: 550`);
    smtp.refuses.clear();
    api.advance(HOUR);
    await deliver();
    expect(smtp.received.flatMap(({ to }) => to)).toEqual([addressOf(ada), addressOf(ben)]);
    api.advance(HOUR);
    await deliver();
    expect(smtp.received).toHaveLength(2);
  });

  test('stop after a permanent answer, which is shown and logged', async () => {
    const workspace = await newWorkspace();
    const ada = await member();
    const { id } = await createIn(`workspaces/${workspace}`, email(), usersOf([ada]));
    smtp.refuses.set(addressOf(ada), 550);
    await runs.run(workspace);
    await deliver();
    expect(await lastOf(id)).toMatchObject({
      code: '550',
      successful: 'false',
      body: expect.stringContaining('no mail'),
    });
    expect(noted.at(-1)).toEqual([
      expect.objectContaining({ notification_configuration: id, tries: 1, reason: expect.stringContaining('550') }),
      'a notification was dropped after its last attempt',
    ]);
    smtp.refuses.clear();
    api.advance(HOUR);
    await deliver();
    expect(smtp.received).toEqual([]);
  });

  test('are sent once by two nodes', async () => {
    const workspace = await newWorkspace();
    const people = [await member(), await member()];
    await createIn(`workspaces/${workspace}`, email(), usersOf(people));
    await runs.run(workspace);
    const nodes = [api.workspaces, api.anotherProcess()].map(({ execution }) => execution.emailDeliveries);
    await Promise.all(nodes.map((node) => node.begin()));
    await Promise.all(nodes.map((node) => node.settled()));
    expect(smtp.received).toHaveLength(1);
  });

  test('can be tested, and an update without recipients removes them', async () => {
    const workspace = await newWorkspace();
    const ada = await member();
    const { id } = await createIn(
      `workspaces/${workspace}`,
      email({ enabled: false, 'email-addresses': ['ops@lists.example.org'] }),
      usersOf([ada]),
    );
    const verified = await acme.owner.call('POST', `/notification-configurations/${id}/actions/verify`);
    expect(verified.status, verified.text).toBe(200);
    expect(smtp.to(addressOf(ada))[0]?.source).toMatch(/^Subject: Verification of Mail\r$/m);
    smtp.refusesMessages = 554;
    const refused = await acme.owner.call('POST', `/notification-configurations/${id}/actions/verify`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].detail).toContain('554');
    const kept = await patch(id, { enabled: true }, usersOf([ada]));
    expect(kept.body.data.relationships.users.data).toHaveLength(1);
    expect(kept.body.data.attributes['email-addresses']).toEqual([]);
    const cleared = await patch(id, { name: 'No one' });
    expect(cleared.body.data).toMatchObject({
      attributes: { notice: 'No email is sent, because the configuration has no recipients.' },
      relationships: { users: { data: [] } },
    });
  });

  test('a hundred recipients at most', async () => {
    const workspace = await newWorkspace();
    const addresses = Array.from({ length: 100 }, (_, index) => `ops-${index}@lists.example.org`);
    const full = await createIn(`workspaces/${workspace}`, email({ 'email-addresses': addresses }));
    await runs.run(workspace);
    await deliver();
    expect(smtp.received[0]?.to).toHaveLength(100);
    const more = await patch(full.id, { 'email-addresses': addresses }, usersOf([await member()]));
    expect(more.status).toBe(422);
  });
});

describe.each(databaseKinds)('notifications by email without an SMTP server on %s', (kind) => {
  test('are stored, and say that no email is sent', async () => {
    const { api, receiver, acme, runs } = await startNotifying(kind);
    const { newWorkspace, createIn, deliver, show } = notificationsOf(() => ({ api, receiver, acme, runs }));
    const workspace = await newWorkspace();
    const users = { relationships: { users: { data: [{ type: 'users', id: acme.owner.id }] } } };
    const attributes = { name: 'Mail', 'destination-type': 'email', enabled: true, triggers: ['run:created'] };
    const { attributes: made, id } = await createIn(`workspaces/${workspace}`, attributes, users);
    expect(made.notice).toBe(
      'No email is sent, because this server has no SMTP server. The operator can configure one with the setting smtp.',
    );
    await runs.run(workspace);
    await deliver();
    expect((await show(id)).attributes['delivery-responses']).toEqual([]);
    const verified = await acme.owner.call('POST', `/notification-configurations/${id}/actions/verify`);
    expect(verified.status).toBe(400);
    expect(verified.body.errors[0].detail).toContain('this server has no SMTP server');
    await receiver.stop();
    await api.close();
  });
});
