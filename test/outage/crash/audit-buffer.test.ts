import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startServing } from '../../clients/support/serving.ts';
import { httpCollector } from '../../support/collectors/audit-collectors.ts';
import { call } from '../../support/http.ts';

interface Entry {
  readonly type: string;
  readonly request_id: string;
}

it('a collector gets every answered request, even if the server is killed again and again', async () => {
  let status = 503;
  const collector = await httpCollector(() => status);
  const serving = await startServing(
    '{ type: sqlite, directory: data }',
    `audit: { sinks: [{ type: http, url: "${collector.url}", gzip: true, buffer_directory: waiting, buffer_size: 64 }] }\n`,
  );
  const ca = readFileSync(serving.caFile, 'utf8');
  let { address } = serving;
  const answered: string[] = [];
  let stops = false;
  const client = async (number: number) => {
    const own: string[] = [];
    for (let i = 0; !stops; i++) {
      const path = `/v1/sys/policies/acl/p-${number}-${i}`;
      const body = { policy: 'path "x" { capabilities = ["read"] }' };
      const answer = await call({ address, ca }, 'POST', path, { token: serving.rootToken, body }).catch(
        () => undefined,
      );
      if (answer === undefined) return own;
      expect(answer.status).toBe(204);
      answered.push(`${answer.headers['x-request-id']}`);
      own.push(`${answer.headers['x-request-id']}`);
    }
    return own;
  };
  const sequences: string[][] = [];
  for (let round = 0; round < 2; round++) {
    const before = answered.length;
    const clients = [1, 2, 3].map(client);
    await expect.poll(() => answered.length).toBeGreaterThan(before + 20);
    // Kills the servers in the middle of their work.
    const restarted = serving.restart();
    sequences.push(...(await Promise.all(clients)));
    address = await restarted;
  }
  stops = true;
  expect(collector.lines()).toEqual([]);
  status = 200;
  const entries = () => collector.lines().map((line): Entry => JSON.parse(line));
  const ids = (type: string) => new Set(entries().flatMap((entry) => (entry.type === type ? [entry.request_id] : [])));
  await expect.poll(() => answered.filter((id) => !ids('response').has(id)), { timeout: 60_000 }).toEqual([]);
  expect(answered.filter((id) => !ids('request').has(id))).toEqual([]);
  const order = [...ids('request')];
  for (const own of sequences) expect(order.filter((id) => own.includes(id))).toEqual(own);
  await serving.stop();
}, 120_000);
