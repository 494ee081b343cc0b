import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BlobHousekeeping, FileBlobs, openSqlite, sql } from '../../../src/storage/index.ts';
import { type DevServer, startDev } from '../../support/command.ts';

const ROUNDS = 6;
const STATE_BYTES = 3_000_000;

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');
const stateOf = (serial: number) => {
  const data = String(serial % 10).repeat(STATE_BYTES);
  return Buffer.from(JSON.stringify({ version: 4, serial, lineage: 'l', outputs: {}, resources: [], data }));
};

/**
 * Moment of the kill: half of the state has arrived; all of it is stored but no row refers to it; or the server has
 * answered.
 */
const MOMENTS = ['half', 'stored', 'answered'] as const;

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

/** Whether the server acknowledged the upload. */
async function uploadAndKill(
  server: DevServer,
  address: string,
  state: Buffer,
  moment: (typeof MOMENTS)[number],
  blobs: string,
): Promise<boolean> {
  const before = new Set(filesIn(blobs));
  const appeared = (isDraft: boolean) =>
    filesIn(blobs).some((name) => !before.has(name) && name.endsWith('.draft') === isDraft);
  const headers = { 'content-type': 'application/octet-stream', 'content-length': state.length };
  const ca = readFileSync(server.line.ca_file, 'utf8');
  const outgoing = request(address, { method: 'PUT', ca, agent: false, headers });
  const acknowledged = new Promise<boolean>((resolve) => {
    outgoing.on('error', () => resolve(false));
    outgoing.on('response', (incoming) => {
      incoming.resume().on('error', () => resolve(false));
      resolve(incoming.statusCode === 200);
    });
  });
  const half = state.length / 2;
  outgoing.write(state.subarray(0, half));
  if (moment === 'half') await expect.poll(() => appeared(true), { interval: 1, timeout: 20_000 }).toBe(true);
  else outgoing.end(state.subarray(half));
  if (moment === 'stored') await expect.poll(() => appeared(false), { interval: 1, timeout: 20_000 }).toBe(true);
  if (moment === 'answered') await acknowledged;
  server.command.signal('SIGKILL');
  return acknowledged;
}

describe('a server that is killed in the middle of an upload', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'lockkeeper-kill-')), 'demo');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has the old state or the new one, never half of it, and deletes orphaned files', async () => {
    let server = await startDev(folder);
    const call = (method: string, path: string, body?: unknown) =>
      server.call(method, `/api/v2${path}`, { token: server.line.user_token, ...(body === undefined ? {} : { body }) });
    const named = { data: { type: 'workspaces', attributes: { name: 'killed' } } };
    const { id } = (await call('POST', `/organizations/${server.line.organization}/workspaces`, named)).body.data;
    await call('POST', `/workspaces/${id}/actions/lock`);

    let serial = 0;
    let expected: string | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const state = stateOf(++serial);
      const attributes = { serial, lineage: 'l', md5: md5(state) };
      const announced = await call('POST', `/workspaces/${id}/state-versions`, {
        data: { type: 'state-versions', attributes },
      });
      expect(announced.status, announced.text).toBe(201);
      const address = announced.body.data.attributes['hosted-state-upload-url'];
      const moment = MOMENTS[round % MOMENTS.length] ?? 'half';
      const acknowledged = await uploadAndKill(server, address, state, moment, join(folder, 'data', 'blobs'));
      await server.command.ended();

      server = await startDev(folder);
      const current = await call('GET', `/workspaces/${id}/current-state-version`);
      const now = current.status === 404 ? undefined : current.body.data.attributes;
      expect([expected, md5(state)]).toContain(now?.md5);
      expect(acknowledged || moment !== 'answered').toBe(true);
      if (acknowledged) expect(now?.md5).toBe(md5(state));
      if (moment === 'half') expect(now?.md5).toBe(expected);
      if (now) {
        const download = await call('GET', `/state-versions/${current.body.data.id}/download`);
        expect(md5(Buffer.from(download.text))).toBe(now.md5);
      }
      expected = now?.md5;
    }
    server.command.signal('SIGTERM');
    await server.command.ended();
    await expectNothingLeftOver();
  });

  /** A day later every file has a row that refers to it, and every such row has its file. */
  async function expectNothingLeftOver(): Promise<void> {
    const directory = join(folder, 'data');
    const fail = (error: unknown) => {
      throw error;
    };
    const database = await openSqlite({ file: join(directory, 'workspaces.db'), report: fail });
    const store = new FileBlobs(join(directory, 'blobs'));
    const housekeeping = new BlobHousekeeping(database, store, () => Date.now() + 86_400_000, fail);
    while (await housekeeping.step());
    const files = filesIn(join(directory, 'blobs'));
    const rows = await database.all(sql<Record<string, never>, { name: string }>('SELECT name FROM blob'), {});
    expect(rows.length).toBeGreaterThan(0);
    expect(files.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
    await database.close();
  }
});
