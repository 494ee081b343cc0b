import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Diagnosable, listen } from '../../support/diagnose/diagnosed.ts';
import { startDeafListener } from '../../support/machine/deaf-listener.ts';

it('lockkeeper diagnose waits for nobody who says nothing, and comes to an end', { timeout: 60_000 }, async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  const there = `127.0.0.1:${await listen(silent)}`;
  const site = new Diagnosable(
    `{ type: sqlite, directory: data, blobs: { type: s3, bucket: states, region: us-east-1, endpoint: "http://${there}", access_key_id: somebody, secret_access_key: nobody-knows } }`,
  );
  const healthy = new Diagnosable();
  await healthy.init();
  chmodSync(site.config, 0o600);
  const { code, found } = await site.diagnose([
    '--set',
    `keyring_file=${healthy.at('keyring.json')}`,
    '--set',
    `storage.directory=${healthy.at('data')}`,
  ]);
  for (const socket of sockets) socket.destroy();
  silent.close();
  expect(code).toBe(1);
  expect(found('states', 'round trip')).toBe('failure: no answer within 10 s');
  expect(found('states', 'clock')).toMatch(/^failure: no answer: TimeoutError/);
  expect(found('database', 'schema')).toBe('success: up to date');
  await site.remove();
  await healthy.remove();
});

it('of several collectors that hang each has its time, and the others are told', { timeout: 60_000 }, async () => {
  const deaf = await startDeafListener();
  const collector = createServer();
  const there = await listen(collector);
  const site = new Diagnosable();
  await site.init();
  const hanging = `{ type: syslog, address: "tcp://127.0.0.1:${deaf.port}" }`;
  site.configure(`audit:
  sinks:
    - ${hanging}
    - ${hanging}
    - { type: http, url: "http://127.0.0.1:${deaf.port}/in", buffer_directory: waiting }
    - { type: syslog, address: "tcp://127.0.0.1:${there}" }
    - { type: file, path: audit.log }`);
  const { found, bad } = await site.diagnose();
  deaf.stop();
  collector.close();
  await site.remove();
  const sink = (index: number) => found('audit', 'sinks', `audit.sinks[${index}]`);
  for (const index of [0, 1, 2]) expect(sink(index)).toBe('failure: no answer within 8 s');
  expect(sink(3)).toMatch(/^success: the collector takes connections/);
  expect(sink(4)).toMatch(/^success: lines can be appended/);
  expect(bad()).toHaveLength(3);
});
