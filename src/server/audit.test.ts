import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openAuditFile } from './audit.ts';
import type { RequestRecord } from './exchange.ts';

const record: RequestRecord = {
  requestId: '3d0b3a1e-5d1e-4d0b-9a33-4a53f2b0d0b1',
  listener: 'main',
  service: 'access',
  method: 'POST',
  route: '/v1/auth/cert/login',
  path: '/v1/auth/cert/login',
  status: 200,
  durationMs: 1,
  remoteAddress: '192.0.2.1',
  httpVersion: '1.1',
  bytes: 10,
  fields: { actor: 'runner', actor_role: 'ci', other: 'not for the record' },
};

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'audit.log');
}

test('each request is a line, in order, in a file for its owner alone', async () => {
  const path = file();
  const sink = await openAuditFile(path, pino({ level: 'silent' }));
  for (let i = 0; i < 1_000; i++) sink.record({ ...record, status: i });
  await sink.close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).status)).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
  expect(JSON.parse(lines[200] ?? '')).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    request_id: record.requestId,
    service: 'access',
    method: 'POST',
    path: '/v1/auth/cert/login',
    status: 200,
    remote_address: '192.0.2.1',
    actor: 'runner',
    actor_role: 'ci',
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('what was recorded before is kept', async () => {
  const path = file();
  for (let i = 0; i < 2; i++) {
    const sink = await openAuditFile(path, pino({ level: 'silent' }));
    sink.record(record);
    await sink.close();
  }
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2);
});

test('a file that cannot be opened is an error at once', async () => {
  await expect(openAuditFile(join(file(), 'below', 'audit.log'), pino({ level: 'silent' }))).rejects.toThrow('ENOENT');
});
