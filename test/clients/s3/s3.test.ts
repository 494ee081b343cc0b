import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlobHousekeeping, Blobs, openKeyring, openSqlite, S3Blobs, sql } from '../../../src/storage/index.ts';
import { Command } from '../../support/command.ts';
import { call } from '../../support/http.ts';
import { type Serving, startServing } from '../support/serving.ts';
import { S3Server } from './server.ts';

const BUCKET = 'states';
const PREFIX = 'lockkeeper/';

const md5 = (text: string | Uint8Array) => createHash('md5').update(text).digest('hex');
const stateOf = (serial: number, bytes: number) =>
  JSON.stringify({
    ...{ version: 4, serial, lineage: 'l', outputs: {}, resources: [] },
    data: randomBytes(bytes / 2).toString('hex'),
  });

let store: S3Server;
beforeAll(async () => {
  store = await S3Server.start();
  await store.makeBucket(BUCKET);
});
afterAll(() => store.stop());

const storage = (changes: object = {}, directory = 'data') => {
  const { bucket, region, endpoint, prefix, credentials } = store.settings(BUCKET, PREFIX);
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = credentials;
  const keys = { access_key_id, secret_access_key };
  const blobs = { type: 's3', bucket, region, endpoint, prefix, force_path_style: true, ...keys, ...changes };
  return JSON.stringify({ type: 'sqlite', directory, blobs });
};

describe('a server with states in a bucket', () => {
  let serving: Serving;
  let address: string;
  let workspace: string;
  const ask = (method: string, path: string, body?: unknown) =>
    call({ address, ca: readFileSync(serving.caFile, 'utf8') }, method, path, {
      token: serving.userToken,
      ...(body !== undefined && { body }),
    });
  const announce = async (serial: number, state: string): Promise<string> => {
    const attributes = { serial, lineage: 'l', md5: md5(state) };
    const data = { type: 'state-versions', attributes };
    const answer = await ask('POST', `/api/v2/workspaces/${workspace}/state-versions`, { data });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.attributes['hosted-state-upload-url'];
  };
  const send = (upload: string, state: string) => {
    const { pathname, search } = new URL(upload);
    const server = { address, ca: readFileSync(serving.caFile, 'utf8') };
    const headers = { 'content-type': 'application/octet-stream' };
    return call(server, 'PUT', pathname + search, { body: state, headers });
  };
  const current = async () => {
    const { body } = await ask('GET', `/api/v2/workspaces/${workspace}/current-state-version`);
    return { id: body.data.id, ...body.data.attributes };
  };
  const download = async () => ask('GET', `/api/v2/state-versions/${(await current()).id}/download`);

  beforeAll(async () => {
    serving = await startServing(storage());
    address = serving.address;
    const make = async (path: string, type: string, attributes: object) => {
      const answer = await ask('POST', path, { data: { type, attributes } });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data.id;
    };
    await make('/api/v2/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    workspace = await make('/api/v2/organizations/acme/workspaces', 'workspaces', { name: 'one' });
    expect((await ask('POST', `/api/v2/workspaces/${workspace}/actions/lock`)).status).toBe(200);
  });
  afterAll(() => serving.stop());

  it.each([
    [1, 2_000],
    [2, 14_000_000],
  ])('returns states unchanged: serial %i, %i bytes', async (serial, bytes) => {
    const state = stateOf(serial, bytes);
    expect(await send(await announce(serial, state), state)).toMatchObject({ status: 200 });
    expect(md5((await download()).text)).toBe(md5(state));
    const objects = await store.objects(BUCKET);
    expect(objects).toHaveLength(serial);
    for (const key of objects) {
      expect(key).toMatch(/^lockkeeper\/[0-9a-f]{32}$/);
      expect((await store.bytes(BUCKET, key)).includes('lineage')).toBe(false);
    }
    expect(existsSync(join(serving.folder, 'data', 'blobs'))).toBe(false);
  });

  it('keeps the previous state when it is killed during an upload', async () => {
    const before = await current();
    const objects = await store.objects(BUCKET);
    const state = Buffer.from(stateOf(3, 20_000_000));
    const upload = await announce(3, state.toString());
    const headers = { 'content-length': state.length };
    const ca = readFileSync(serving.caFile, 'utf8');
    const outgoing = request(upload, { method: 'PUT', ca, agent: false, headers });
    const broken = new Promise((resolve) => outgoing.on('error', resolve));
    outgoing.write(state.subarray(0, 15_000_000));
    await expect.poll(() => store.uploads(BUCKET), { timeout: 20_000 }).toHaveLength(1);
    address = await serving.restart();
    await broken;
    expect((await current()).md5).toBe(before.md5);
    expect(md5((await download()).text)).toBe(before.md5);
    expect(await store.objects(BUCKET)).toEqual(objects);
    expect(await store.uploads(BUCKET)).toHaveLength(1);
  });

  it('answers 503 while the store is unavailable, and continues when it is back', { timeout: 60_000 }, async () => {
    const state = stateOf(4, 10_000);
    const upload = await announce(4, state);
    await store.kill();
    const refusals = [await send(upload, state), await download()];
    await store.resume();
    for (const { status, headers, body } of refusals) {
      expect([status, headers['content-type']]).toEqual([503, expect.stringMatching(/^application\/vnd\.api\+json/)]);
      expect(body).toEqual({ errors: [expect.objectContaining({ status: '503' })] });
      expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|AKIA|states/);
    }
    expect((await send(upload, state)).status).toBe(200);
    expect((await download()).text).toBe(state);
  });

  it('deletes objects without a row after one day, and no others', async () => {
    const fail = (error: unknown) => {
      throw error;
    };
    const database = await openSqlite({ file: join(serving.folder, 'data', 'workspaces.db'), report: fail });
    const keyring = await openKeyring({ file: join(serving.folder, 'keyring.json') });
    const bucket = await S3Blobs.open(store.settings(BUCKET, PREFIX));
    await new Blobs(bucket, keyring).write([Buffer.from('that no row names')], { scope: 'x', maxBytes: 100 });
    expect(await store.uploads(BUCKET)).toHaveLength(1);
    const housekeeping = new BlobHousekeeping(database, bucket, () => Date.now() + 86_400_000, fail);
    while (await housekeeping.step());
    const rows = await database.all(sql<Record<string, never>, { name: string }>('SELECT name FROM blob'), {});
    await database.close();
    expect(await store.uploads(BUCKET)).toEqual([]);
    expect(await store.objects(BUCKET)).toEqual(rows.map(({ name }) => PREFIX + name).toSorted());
    expect(rows).toHaveLength(3);
  });
});

describe('a server whose bucket cannot be used', () => {
  let serving: Serving;
  const start = async (changes: object) => {
    const file = join(serving.folder, 'changed.yaml');
    const config = readFileSync(join(serving.folder, 'lockkeeper.yaml'), 'utf8');
    writeFileSync(
      file,
      // Its own folder, since another server is running.
      config.replace(/^storage: .*$/m, () => `storage: ${storage(changes, 'other')}`),
    );
    return new Command(['serve', '--config', file]).ended();
  };
  beforeAll(async () => {
    serving = await startServing();
  });
  afterAll(() => serving.stop());

  it.each([
    [
      'the bucket is not there',
      { bucket: 'nowhere' },
      /bucket nowhere at .*: there is no such bucket; create it, .*404/,
    ],
    [
      'the secret is wrong',
      { secret_access_key: 'AnotherSecret' },
      /the secret access key does not belong to the access/,
    ],
    ['the access key is unknown', { access_key_id: 'AKIANOBODY' }, /cannot be used.*\(\w+, status 40[34]\)$/m],
    ['nobody listens', { endpoint: 'http://127.0.0.1:9' }, /cannot be used \(no answer: ECONNREFUSED\)$/m],
  ])('does not start and reports that %s', async (_, changes, reason) => {
    const { code, stdout, stderr } = await start(changes);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^lockkeeper: storage\.blobs: the bucket /);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toMatch(/Secret$|AnotherSecret|NobodyMayReadThisSecret|AKIA|\n\s+at /);
  });

  it('does not start without the file of the secret', async () => {
    const { code, stderr } = await start({ secret_access_key: undefined, secret_access_key_file: 'nowhere.secret' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/storage\.blobs\.secret_access_key_file: cannot read .*nowhere\.secret/);
  });
});
