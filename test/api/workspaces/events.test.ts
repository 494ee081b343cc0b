import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { archive } from '../../support/samples/archive.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

/** An event arrives within a second; the timeout allows for a slow machine. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 });

/** Response of an event stream, as it arrives. */
interface Followed {
  readonly status: number;
  readonly incoming: IncomingMessage;
  text(): string;
  /** Events in the form `lock ws-…`, in order. */
  events(): string[];
  isOver(): boolean;
  close(): void;
}

function follow(
  { address, ca }: Pick<TestServer, 'address' | 'ca'>,
  token: string,
  { query = '', headers = {}, pauses = false } = {},
): Promise<Followed> {
  return new Promise((resolve, reject) => {
    const send = address.startsWith('https') ? requestTls : request;
    const url = new URL(`/api/v2/events${query}`, address);
    const options = { ca, agent: false as const, headers: { authorization: `Bearer ${token}`, ...headers } };
    const outgoing: ClientRequest = send(url, options, (incoming) => {
      let text = '';
      let isOver = false;
      incoming.on('close', () => (isOver = true)).on('error', () => {});
      if (!pauses) incoming.on('data', (chunk: Buffer) => (text += chunk));
      const events = () =>
        [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, kind, data = '{}']) =>
          [kind, JSON.parse(data).id].filter(Boolean).join(' '),
        );
      const close = () => void outgoing.destroy();
      resolve({ status: incoming.statusCode ?? 0, incoming, text: () => text, events, isOver: () => isOver, close });
    });
    outgoing.on('error', reject).end();
    onTestFinished(() => void outgoing.destroy());
  });
}

describe.each(databaseKinds)('events on %s', (kind) => {
  let server: TestServer;
  let organization = '';
  let count = 0;
  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    organization = `acme-${++count}`;
    await server.user('POST', '/api/v2/organizations', {
      data: { type: 'organizations', attributes: { name: organization, email: 'a@example.com' } },
    });
  });

  async function workspace(name: string, token = server.userToken): Promise<string> {
    const { body } = await server.call('POST', `/api/v2/organizations/${organization}/workspaces`, {
      token,
      body: { data: { type: 'workspaces', attributes: { name } } },
    });
    return body.data.id;
  }
  const lock = (id: string) => server.user('POST', `/api/v2/workspaces/${id}/actions/lock`, {});
  const unlock = (id: string) => server.user('POST', `/api/v2/workspaces/${id}/actions/unlock`, {});

  /** A team that sees one workspace, and its token. */
  async function team(name: string, workspaceId: string, access = 'read') {
    const made = await server.user('POST', `/api/v2/organizations/${organization}/teams`, {
      data: { type: 'teams', attributes: { name } },
    });
    const granted = await server.user('POST', '/api/v2/team-workspaces', {
      data: {
        type: 'team-workspaces',
        attributes: { access },
        relationships: {
          team: { data: { type: 'teams', id: made.body.data.id } },
          workspace: { data: { type: 'workspaces', id: workspaceId } },
        },
      },
    });
    const { body } = await server.user('POST', `/api/v2/teams/${made.body.data.id}/authentication-token`, {});
    const { id } = body.data;
    return { id: made.body.data.id, grant: granted.body.data.id, token: body.data.attributes.token, tokenId: id };
  }

  test('describe workspaces, locks and runs only by IDs', async () => {
    const stream = await follow(server, server.userToken);
    expect(stream.status).toBe(200);
    expect(stream.incoming.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const id = await workspace('told');
    await soon(stream.events).toEqual([`workspace ${id}`]);
    await lock(id);
    await soon(stream.events).toEqual([`workspace ${id}`, `lock ${id}`]);
    await unlock(id);
    await server.user('PATCH', `/api/v2/workspaces/${id}`, {
      data: { type: 'workspaces', attributes: { description: 'a secret of nobody but those who may read it' } },
    });
    await soon(() => stream.events().at(-1)).toBe(`workspace ${id}`);
    const configuration = await server.user('POST', `/api/v2/workspaces/${id}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } },
    });
    const { pathname } = new URL(configuration.body.data.attributes['upload-url']);
    await server.call('PUT', pathname, { body: archive(), headers: { 'content-type': 'application/octet-stream' } });
    const run = await server.user('POST', '/api/v2/runs', {
      data: { type: 'runs', relationships: { workspace: { data: { type: 'workspaces', id } } } },
    });
    await soon(stream.events).toContain(`run ${run.body.data.id}`);
    expect(stream.text()).not.toContain('secret');
    expect(stream.text()).toContain(`event: lock\ndata: ${JSON.stringify({ id, organization, workspace: id })}\n\n`);
  });

  test('arrive from every node, about changes on any of them', async () => {
    const beside = await startTestServer(kind, { beside: server });
    onTestFinished(() => beside.stop());
    const [here, there] = [await follow(server, server.userToken), await follow(beside, server.userToken)];
    const id = await workspace('shared');
    await soon(there.events).toContain(`workspace ${id}`);
    await beside.user('POST', `/api/v2/workspaces/${id}/actions/lock`, {});
    await soon(here.events).toContain(`lock ${id}`);
  });

  test('include only resources that the user may see at that time', async () => {
    const [seen, hidden] = [await workspace('seen'), await workspace('hidden')];
    const { token, grant } = await team('readers', seen);
    const stream = await follow(server, token);
    const all = await follow(server, server.userToken);
    await lock(hidden);
    await lock(seen);
    await soon(stream.events).toEqual([`lock ${seen}`]);
    await server.user('DELETE', `/api/v2/team-workspaces/${grant}`);
    await unlock(seen);
    await unlock(hidden);
    await soon(() => all.events().length).toBeGreaterThanOrEqual(3);
    const { grant: again } = await team('others', seen);
    expect(again).toBeTruthy();
    expect(stream.events()).toEqual([`lock ${seen}`]);
  });

  test('end with the token', async () => {
    const id = await workspace('ended');
    const { id: teamId, token } = await team('ending', id);
    const stream = await follow(server, token);
    await server.user('DELETE', `/api/v2/teams/${teamId}/authentication-token`);
    await lock(id);
    await soon(stream.isOver).toBe(true);
    expect(stream.events()).toEqual([]);
    expect((await follow(server, token)).status).toBe(401);
  });

  test('report a gap where events were missed', async () => {
    let place = '';
    const missedNothing = async () => {
      const first = await follow(server, server.userToken);
      await soon(() => /id: (\S+)/.exec(first.text())?.[1]).toBeDefined();
      place = /id: (\S+)/.exec(first.text())?.[1] ?? '';
      first.close();
      const headers = { 'last-event-id': place };
      const nothing = await follow(server, server.userToken, { query: '?seconds=0', headers });
      await soon(nothing.isOver).toBe(true);
      return nothing.events();
    };
    // As long as another client of the database server has an open transaction, more events may appear.
    await expect.poll(missedNothing).toEqual([]);
    await workspace('missed');
    for (const id of [place, 'anything', '0-0']) {
      const stream = await follow(server, server.userToken, { headers: { 'last-event-id': id } });
      await soon(stream.events).toEqual(['reload']);
      stream.close();
    }
  }, 30_000);

  test('report a gap for a position older than the kept events', async () => {
    const first = await follow(server, server.userToken);
    await soon(() => /id: (\S+)/.exec(first.text())?.[1]).toBeDefined();
    const place = /id: (\S+)/.exec(first.text())?.[1] ?? '';
    first.close();
    server.advance(360);
    const stream = await follow(server, server.userToken, { headers: { 'last-event-id': place } });
    await soon(stream.events).toEqual(['reload']);
    stream.close();
  });

  test('of a reader that reads nothing delay no other', async () => {
    const idle = await follow(server, server.userToken, { pauses: true });
    const reader = await follow(server, server.userToken);
    for (let at = 0; at < 20; at++) await workspace(`many-${at}`);
    await soon(() => new Set(reader.events()).size).toBe(20);
    idle.close();
  });

  test('for a limited time, if the client asks for it', async () => {
    const stream = await follow(server, server.userToken, { query: '?seconds=1' });
    await soon(stream.isOver).toBe(true);
    expect(stream.text()).toMatch(/^: events follow\n\n/);
    expect((await follow(server, server.userToken, { query: '?seconds=x' })).status).toBe(400);
  });

  test('are bounded for each token', async () => {
    const id = await workspace('bounded');
    const { token } = await team('greedy', id);
    const streams = [];
    for (let at = 0; at < 20; at++) streams.push(await follow(server, token));
    expect((await follow(server, token)).status).toBe(429);
    streams[0]?.close();
    await soon(async () => (await follow(server, token, { query: '?seconds=0' })).status).toBe(200);
    // Other clients can still connect.
    expect((await follow(server, server.userToken, { query: '?seconds=0' })).status).toBe(200);
  });

  test('keep no server from stopping', async () => {
    const beside = await startTestServer(kind, { beside: server });
    const stream = await follow(beside, server.userToken);
    await beside.stop();
    await soon(stream.isOver).toBe(true);
    // The stream has an end. The server cuts connections only after the time for requests in progress.
    expect(stream.incoming.complete).toBe(true);
  });
});
