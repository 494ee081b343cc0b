import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { auditEntries } from '../../../test/support/audit.ts';
import { dial, echoService, listening, message, type Wire } from '../../../test/support/listening.ts';
import { AppError } from '../../lib/errors.ts';
import { parseJsonBody } from '../../lib/json.ts';
import type { Service } from '../../lib/service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const TOKEN = 'lks.1111111111111111.22222222222222222222222222222222';

/** A service that stores the received bodies, and counts the requests. */
function vaultService(done: string[], opened: Readable[], during: { write(): void }): Service {
  return {
    name: 'vault',
    prefix: '/vault',
    errors: { contentType: 'application/json', statuses: {}, body: (_status, error) => ({ vault: error?.message }) },
    notFound: () => new AppError('not-found', 'nothing here'),
    routes(app) {
      app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody);
      app.addHook('onRequest', async ({ event, headers }) => {
        event.add({ actor_kind: 'token', actor_accessor: 'accessor-1', actor_policies: ['default'] });
        if (headers.authorization === 'none') throw new AppError('unauthenticated', 'who are you?');
        if (headers.authorization === 'probe') event.unaudited();
      });
      app.post('/secrets/:name', async (_request, reply) => {
        done.push('write');
        during.write();
        return reply.header('x-secret', 'in a header').send({ auth: { client_token: TOKEN, accessor: 'new' } });
      });
      app.get('/secrets/:name', async (request) => {
        done.push('read');
        request.event.add({ verdicts: [{ check: 'dates', outcome: 'refused' }], other: 'for the log alone' });
        return { data: { password: 'hunter2', name: 'web', id: TOKEN }, lease_duration: 5 };
      });
      app.get('/stream', async (_request, reply) => {
        const stream = Readable.from(['one', 'two']);
        opened.push(stream);
        return reply.type('text/plain').send(stream);
      });
      app.get('/bug', async (_request, reply) => reply.header('x-bug', 'line\nfeed').send({}));
      app.get('/alive', { config: { audit: false } }, async () => ({ alive: true }));
      app.get('/files/*', { config: { audit: false } }, async () => ({ file: true }));
      app.get('/files/list', async () => ({ files: 1 }));
    },
  };
}

async function start(...files: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  const path = join(folder, 'audit.log');
  const done: string[] = [];
  const opened: Readable[] = [];
  const during = { write() {} };
  const sinks = [path, ...files].map((file) => ({ type: 'file', path: file }) as const);
  const running = await listening({ tls: false, sinks, services: [vaultService(done, opened, during), echoService()] });
  const wire = await dial(running);
  onTestFinished(async () => {
    wire.socket.destroy();
    await running.server.close(0);
    await running.audit.close();
    rmSync(folder, { recursive: true });
  });
  /** Makes every write to the file fail, as on a full disk. `mend` undoes it. */
  const fill = () => {
    rmSync(path, { force: true });
    symlinkSync('/dev/full', path);
    running.audit.reopen();
  };
  const mend = () => {
    rmSync(path);
    running.audit.reopen();
  };
  const entries = (file = path) => auditEntries(file);
  return { ...running, wire, path, done, opened, during, fill, mend, entries };
}

const post = (wire: Wire, body: object) =>
  wire.ask(message('POST', '/vault/secrets/web?cas=key', JSON_TYPE, JSON.stringify(body)));

describe('a request', () => {
  test('has one entry before its handler and one before its response, without secrets', async () => {
    const { wire, entries, audit } = await start();
    const answer = await post(wire, { password: 'hunter2', ttl: '1h', uses: 3 });
    expect(answer.status).toBe(200);
    const common = {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      request_id: answer.headers['x-request-id'],
      service: 'vault',
      method: 'POST',
      path: '/vault/secrets/web',
      remote_address: '127.0.0.1',
      actor_kind: 'token',
      actor_accessor: 'accessor-1',
      actor_policies: ['default'],
    };
    expect(entries()).toEqual([
      {
        ...common,
        type: 'request',
        query: { cas: audit.hash('key') },
        request: { password: audit.hash('hunter2'), ttl: '1h', uses: 3 },
      },
      {
        ...common,
        type: 'response',
        status: 200,
        response: { auth: { client_token: audit.hash(TOKEN), accessor: 'new' } },
      },
    ]);
    expect(audit.hash(TOKEN)).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
  });

  test('that only reads has both lines before its answer is sent, with the verdicts of its event', async () => {
    const { wire, entries, audit } = await start();
    await wire.ask(message('GET', `/vault/secrets/${TOKEN}`));
    const [asked, answered] = entries();
    expect(asked).toMatchObject({ type: 'request', path: `/vault/secrets/${audit.hash(TOKEN)}` });
    expect(answered).toMatchObject({
      type: 'response',
      verdicts: [{ check: 'dates', outcome: 'refused' }],
      response: { data: { password: audit.hash('hunter2'), name: 'web', id: audit.hash(TOKEN) }, lease_duration: 5 },
    });
    expect(answered).not.toHaveProperty('other');
  });

  test.each([
    ['without a route', message('GET', '/vault/nothing'), { status: 404, error: 'nothing here', service: 'vault' }],
    ['for no service', message('GET', '/nothing'), { status: 404, error: 'no such path', service: 'none' }],
    ['of nobody', message('GET', '/vault/stream', { authorization: 'none' }), { status: 401, error: 'who are you?' }],
    [
      'with a bad body',
      message('POST', '/vault/secrets/x', JSON_TYPE, '{'),
      { status: 400, error_kind: 'bad-request' },
    ],
    ['with a bad path', message('GET', '/vault/%ff'), { status: 400 }],
    ['without a host', 'GET /vault/alive HTTP/1.1\r\n\r\n', { status: 400, error: 'the Host header is missing' }],
  ])('%s has an entry with its response', async (_, text, expected) => {
    const { wire, entries } = await start();
    await wire.ask(text);
    await expect.poll(() => entries().at(-1)).toMatchObject({ type: 'response', ...expected });
  });

  test('beside routes that are not recorded has its path in the line', async () => {
    const { wire, entries } = await start();
    await wire.ask(message('GET', '/vault/files/secret'));
    await wire.ask(message('GET', '/vault/files/list'));
    expect(entries().map(({ path }) => path)).toEqual(['/vault/files/list', '/vault/files/list']);
  });

  test('that was broken off in its body has a line', async () => {
    const { wire, entries } = await start();
    await wire.write(
      `POST /vault/secrets/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    wire.socket.destroy();
    await expect.poll(() => entries()).toMatchObject([{ type: 'response', path: '/vault/secrets/x' }]);
  });

  test('is left out where its route or its hook says so, and metrics and health are', async () => {
    const { wire, entries } = await start();
    expect((await wire.ask(message('GET', '/vault/alive'))).status).toBe(200);
    expect((await wire.ask(message('GET', '/vault/secrets/x', { authorization: 'probe' }))).status).toBe(200);
    for (const path of ['/metrics', '/healthz/live']) expect((await wire.ask(message('GET', path))).status).toBe(200);
    expect(entries()).toEqual([]);
  });

  test('with a streamed response has an entry with its status', async () => {
    const { wire, entries } = await start();
    await wire.write(message('GET', '/vault/stream', { connection: 'close' }));
    await wire.closed;
    expect(entries()).toMatchObject([{ type: 'request' }, { type: 'response', status: 200 }]);
    expect(entries()[1]).not.toHaveProperty('response');
  });
});

test('an answer that cannot be sent costs its connection, and nothing else', async () => {
  const { wire, port, secure, lines } = await start();
  await wire.write(message('GET', '/vault/bug'));
  await wire.closed;
  expect(lines()).toContainEqual(expect.objectContaining({ msg: 'unexpected error' }));
  const other = await dial({ port, secure });
  expect((await post(other, {})).status).toBe(200);
  other.socket.destroy();
});

test('a line is bounded, whatever a request holds', async () => {
  const { wire, entries } = await start();
  const name = '€'.repeat(250);
  const body = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, { name }]));
  expect((await post(wire, body)).status).toBe(200);
  const [asked] = entries();
  expect(asked).toMatchObject({ type: 'request', path: '/vault/secrets/web', truncated: true });
  expect(asked).not.toHaveProperty('request');
});

describe('while no audit sink accepts entries', () => {
  test('a write is refused before its handler runs, in the format of its API', async () => {
    const { wire, done, fill, mend } = await start();
    fill();
    const refused = await post(wire, {});
    expect(refused).toMatchObject({
      status: 503,
      body: {
        vault:
          'the audit log cannot be written, so the request was not executed; an operator has to check the audit sinks',
      },
    });
    expect(done).toEqual([]);
    mend();
    expect((await post(wire, {})).status).toBe(200);
  });

  test('nothing of an answer gets out: neither body nor headers nor pieces', async () => {
    const { wire, opened, fill, entries, mend } = await start();
    fill();
    const read = await wire.ask(message('GET', '/vault/secrets/web'));
    expect([read.status, read.text]).toEqual([503, expect.not.stringContaining('hunter2')]);
    expect(read.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const streamed = await wire.ask(message('GET', '/vault/stream'));
    expect([streamed.status, streamed.headers['content-type']]).toEqual([503, 'application/json']);
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
    expect((await wire.ask(message('GET', '/vault/nothing'))).status).toBe(503);
    mend();
    expect((await wire.ask(message('GET', '/vault/secrets/web'))).status).toBe(200);
    expect(entries()).toHaveLength(2);
  });

  test('the response to an executed request says so, and nothing else', async () => {
    const { wire, done, fill, entries, path, during } = await start();
    during.write = () => {
      renameSync(path, `${path}.1`);
      fill();
    };
    const answer = await post(wire, {});
    expect(answer).toMatchObject({
      status: 503,
      body: {
        vault:
          'the audit log cannot be written; the request may have been executed; an operator has to check the audit sinks',
      },
    });
    expect([done, answer.headers['x-secret']]).toEqual([['write'], undefined]);
    expect(entries(`${path}.1`)).toMatchObject([{ type: 'request' }]);
  });

  test('health is answered, not ready, and says which sink fails and why', async () => {
    const { wire, fill, mend, metrics } = await start();
    const ready = async () => (await wire.ask(message('GET', '/healthz/ready'))).body;
    expect((await ready()).checks).toContainEqual({ name: 'audit', ok: true });
    fill();
    await post(wire, {});
    await expect.poll(ready, { timeout: 10_000 }).toMatchObject({ ready: false });
    expect((await ready()).checks).toContainEqual({ name: 'audit', ok: false, reason: 'file: ENOSPC' });
    expect((await wire.ask(message('GET', '/vault/alive'))).status).toBe(200);
    expect(await metrics.page()).toMatch(/^audit_failures_total\{sink="file"\} [1-9]/m);
    mend();
    // No requests arrive while this node is not ready, so the health check writes a test entry.
    await expect
      .poll(async () => (await ready()).checks, { timeout: 10_000 })
      .toContainEqual({ name: 'audit', ok: true });
  });
});

test('one of several sinks is enough, and the other is named', async () => {
  const { wire, entries, audit } = await start('/dev/full');
  expect((await post(wire, {})).status).toBe(200);
  expect(entries()).toHaveLength(2);
  const { body } = await wire.ask(message('GET', '/healthz/ready'));
  expect(body.ready).toBe(true);
  expect(body.checks).toContainEqual({ name: 'audit', ok: true, reason: 'file-2: ENOSPC' });
  expect(audit.health()).toEqual({ ok: true, detail: 'file-2: ENOSPC' });
  expect(audit.sinks()).toEqual([
    { name: 'file', type: 'file', failure: undefined },
    { name: 'file-2', type: 'file', failure: 'ENOSPC' },
  ]);
});

test('a file that cannot be opened is an error at once', async () => {
  await expect(listening({ sinks: [{ type: 'file', path: '/nowhere/audit.log' }] })).rejects.toThrow('ENOENT');
});
