import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../support/command.ts';
import { fill, serveOnSmallDisks, smallDisks } from '../support/small-disk.ts';

const MIB = 1_048_576;

describe.skipIf(smallDisks === undefined)('a disk that is full', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-full-disk-'));
  const databases = { directory: join(folder, 'data'), bytes: 16 * MIB };
  const blobs = { directory: join(folder, 'blobs'), bytes: 4 * MIB };
  let command: Command;
  let address: string;
  let tokens: { root: string; user: string };

  async function call(method: string, path: string, token?: string, body?: unknown) {
    const answer = await fetch(new URL(path, address), {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/vnd.api+json' }),
      },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as any };
  }
  const ready = () => call('GET', '/healthz/ready');
  const writeToAccess = () =>
    call('PUT', '/v1/sys/policies/acl/p', tokens.root, { policy: 'path "a" {}'.padEnd(60_000) });
  const workspace = async (name: string) => {
    const data = { type: 'workspaces', attributes: { name } };
    return (await call('POST', '/api/v2/organizations/acme/workspaces', tokens.user, { data })).body.data.id;
  };
  const upload = async (id: string, state: Buffer) => {
    await call('POST', `/api/v2/workspaces/${id}/actions/lock`, tokens.user, {});
    const attributes = { serial: 1, md5: createHash('md5').update(state).digest('hex') };
    const created = await call('POST', `/api/v2/workspaces/${id}/state-versions`, tokens.user, {
      data: { type: 'state-versions', attributes },
    });
    return call('PUT', created.body.data.attributes['hosted-state-upload-url'], undefined, state);
  };

  beforeAll(async () => {
    const config = join(folder, 'lockkeeper.yaml');
    writeFileSync(
      config,
      `listeners:
  - { address: '127.0.0.1:0', services: [access, workspaces], plain_http: true }
storage: { type: sqlite, directory: data, blob_directory: blobs }
keyring_file: keyring.json
limits: { lame_duck: 0s }
`,
    );
    command = serveOnSmallDisks(folder, config, [databases, blobs]);
    address = JSON.parse(await command.firstLine()).addresses[0];
    const text = readFileSync(join(folder, 'init'), 'utf8');
    tokens = { root: /root token +(\S+)/.exec(text)?.[1] ?? '', user: /user token +(\S+)/.exec(text)?.[1] ?? '' };
    const data = { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } };
    expect((await call('POST', '/api/v2/organizations', tokens.user, { data })).status).toBe(201);
  });
  afterAll(async () => {
    command.signal('SIGKILL');
    await command.ended();
    rmSync(folder, { recursive: true });
  });

  it('of the databases: writes are 503 and the server is not ready, until there is room again', async () => {
    expect((await ready()).status).toBe(200);
    const empty = fill(command, databases);
    // The reason comes from the disk check, or from a failed write.
    const full = expect.stringMatching(/^(ENOSPC|database or disk is full)$/);
    await expect.poll(writeToAccess, { timeout: 30_000 }).toMatchObject({ status: 503 });
    await expect.poll(ready, { timeout: 10_000 }).toMatchObject({
      status: 503,
      body: {
        ready: false,
        checks: expect.arrayContaining([
          { name: 'accepting', ok: true },
          { name: 'database-access', ok: false, reason: full },
          { name: 'database-workspaces', ok: false, reason: full },
          { name: 'blobs', ok: true },
        ]),
      },
    });
    expect(await call('GET', '/v1/sys/health')).toMatchObject({ status: 503, body: { sealed: false } });
    // Requests that only read still succeed.
    expect((await call('GET', '/api/v2/account/details', tokens.user)).status).toBe(200);
    empty();
    await expect.poll(ready, { timeout: 10_000 }).toMatchObject({ status: 200, body: { ready: true } });
    expect((await writeToAccess()).status).toBe(204);
  });

  it('of the states: an upload is 503 in the shape of the API, leaves nothing behind, and works later', async () => {
    const state = Buffer.from(
      JSON.stringify({ version: 4, serial: 1, lineage: 'x', outputs: {}, resources: [], x: 'x'.repeat(MIB) }),
    );
    const [before, after] = [await workspace('before'), await workspace('after')];
    const empty = fill(command, blobs);
    const refused = await upload(before, state);
    expect(refused).toMatchObject({
      status: 503,
      body: {
        errors: [{ status: '503', detail: expect.stringMatching(/blob store is not available/) }],
      },
    });
    await expect.poll(ready, { timeout: 10_000 }).toMatchObject({
      status: 503,
      body: { checks: expect.arrayContaining([{ name: 'blobs', ok: false, reason: 'ENOSPC' }]) },
    });
    const files = readdirSync(join(`/proc/${command.process.pid}/root`, blobs.directory), {
      recursive: true,
      withFileTypes: true,
    }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual(['filler']);
    empty();
    expect((await upload(after, state)).status).toBe(200);
    await expect.poll(ready, { timeout: 10_000 }).toMatchObject({ status: 200 });
  });
});
