import { chmodSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Diagnosable, listen } from '../support/diagnose/diagnosed.ts';
import { startDeafListener } from '../support/machine/deaf-listener.ts';
import { freePort } from '../support/machine/free-port.ts';
import { createRoot } from '../support/pki.ts';

it.concurrent('lockkeeper diagnose times out on services that do not answer', {
  timeout: 60_000,
}, async () => {
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

/** Issuers and responders, which only a server writes. */
async function name(site: Diagnosable, hanging: string, responders: readonly string[], root: string): Promise<void> {
  const port = await freePort();
  site.configure('', `{ address: "127.0.0.1:${port}", services: [access], plain_http: true }`);
  const server = site.start(['serve']);
  await server.ready();
  const write = async (path: string, body: object) => {
    const headers = { 'x-vault-token': root, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/v1/${path}`;
    expect((await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })).status).toBeLessThan(300);
  };
  for (const mount of ['jwt-1', 'jwt-2', 'jwt-3']) {
    await write(`sys/auth/${mount}`, { type: 'jwt' });
    await write(`auth/${mount}/config`, { jwks_url: `${hanging}/${mount}`, skip_jwks_validation: true });
  }
  for (const [index, responder] of responders.entries()) {
    const role = { certificate: createRoot().pem, ocsp_enabled: true, ocsp_servers_override: [responder] };
    await write(`auth/cert/certs/role-${index}`, role);
  }
  server.signal('SIGTERM');
  await server.ended();
}

it.concurrent('of several checks that hang, each has its own timeout, and the other results are printed', {
  timeout: 90_000,
}, async () => {
  const deaf = await startDeafListener();
  const answers = createHttp((_request, response) => response.end());
  const there = await listen(answers);
  const site = new Diagnosable();
  const { root = '' } = await site.init();
  const silent = `http://127.0.0.1:${deaf.port}`;
  await name(site, silent, [`${silent}/a`, `${silent}/b`, `${silent}/c`, `http://127.0.0.1:${there}`], root);
  const hanging = `{ type: syslog, address: "tcp://127.0.0.1:${deaf.port}" }`;
  site.configure(`revocation: { allowed_addresses: [127.0.0.1] }
audit:
  sinks:
    - ${hanging}
    - ${hanging}
    - { type: http, url: "${silent}/in", buffer_directory: waiting }
    - { type: syslog, address: "tcp://127.0.0.1:${there}" }
    - { type: file, path: audit.log }`);
  const { found, bad } = await site.diagnose();
  deaf.stop();
  answers.close();
  await site.remove();
  const sink = (index: number) => found('audit', 'sinks', `audit.sinks[${index}]`);
  const responder = (index: number) => found('revocation', 'addresses', `responder of cert/role-${index}`);
  for (const index of [0, 1, 2]) {
    expect(sink(index)).toBe('failure: no answer within 8 s');
    expect(responder(index)).toMatch(/^failure: cannot be reached: timeout/);
    expect(found('identity providers', 'keys', `mount jwt-${index + 1}`)).toMatch(
      /^failure: no keys: no answer within/,
    );
  }
  expect(sink(3)).toMatch(/^success: the collector accepts connections/);
  expect(sink(4)).toMatch(/^success: entries can be appended/);
  expect(responder(3)).toMatch(/^success: it answers with status 200/);
  expect(bad()).toHaveLength(9);
});
