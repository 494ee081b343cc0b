import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../support/command.ts';
import { type LoadOptions, startLoad, type Target } from '../support/load.ts';
import { createRoot } from '../support/pki.ts';

/** Requests of each kind before the server gets the signal to stop. In manual tests: 10,000. */
const REQUESTS = Number(process.env.LOCKKEEPER_TEST_REQUESTS ?? 100);
const LOAD = { clients: 4, path: '/v1/sys/health?sealedcode=200' };

describe('a server that gets the signal to stop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-lame-duck-'));
  const config = join(folder, 'lockkeeper.yaml');
  const serverCa = createRoot();

  beforeAll(async () => {
    const server = serverCa.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
    writeFileSync(join(folder, 'server.pem'), server.pem);
    writeFileSync(join(folder, 'server.key'), server.keyPem);
    writeFileSync(
      config,
      `listeners:
  - address: 127.0.0.1:0
    services: [access]
    tls: { certificate_file: server.pem, private_key_file: server.key }
  - address: 127.0.0.1:0
    services: [access]
    plain_http: true
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
limits: { lame_duck: 1s }
log: { level: warn }
`,
    );
    expect((await new Command(['init', '--config', config]).ended()).code).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function serve(): Promise<{ command: Command; tls: Target; plain: Target }> {
    const command = new Command(['serve', '--config', config, '--set', 'log.level=info']);
    const { addresses } = JSON.parse(await command.firstLine());
    const [tls, plain] = addresses.map((address: string) => Number(new URL(address).port));
    return { command, tls: { port: tls, ca: serverCa.pem }, plain: { port: plain } };
  }

  const cases: readonly [string, 'tls' | 'plain', Pick<LoadOptions, 'protocol' | 'keepAlive'>][] = [
    ['new connections, plain', 'plain', { protocol: 1, keepAlive: false }],
    ['connections that are kept, plain', 'plain', { protocol: 1, keepAlive: true }],
    ['new connections, TLS', 'tls', { protocol: 1, keepAlive: false }],
    ['connections that are kept, TLS', 'tls', { protocol: 1, keepAlive: true }],
    ['new connections, HTTP/2', 'tls', { protocol: 2, keepAlive: false }],
    ['connections that are kept, HTTP/2', 'tls', { protocol: 2, keepAlive: true }],
  ];

  it.each(cases)('drops no request: %s', { timeout: 600_000 }, async (_, where, how) => {
    const { command, ...targets } = await serve();
    const load = startLoad(targets[where], { ...LOAD, ...how });
    await expect.poll(load.answered, { timeout: 500_000 }).toBeGreaterThan(REQUESTS);
    const before = load.answered();
    command.signal('SIGTERM');
    const { answered, dropped, refused } = await load.over;
    if (process.env.LOCKKEEPER_TEST_REQUESTS) process.stderr.write(`${_}: ${answered} answered, ${refused} refused\n`);
    expect(dropped).toEqual([]);
    // The server continued to serve.
    expect(answered).toBeGreaterThan(before);
    expect(await command.ended()).toMatchObject({ code: 0, stderr: '' });
  });
});
