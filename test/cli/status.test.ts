import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../support/command.ts';
import { freePort } from '../support/machine/free-port.ts';
import { createRoot } from '../support/pki.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-status-'));
const config = join(folder, 'lockkeeper.yaml');
const status = (...args: string[]) => new Command(['status', '--config', config, ...args]).ended();
let port = 0;

beforeAll(async () => {
  port = await freePort();
  const server = createRoot().issue({ subject: 'localhost', dns: ['lockkeeper.example.com'] });
  writeFileSync(join(folder, 'server.pem'), server.pem);
  writeFileSync(join(folder, 'server.key'), server.keyPem);
  writeFileSync(config, CONFIG(`0.0.0.0:${port}`));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('lockkeeper status', () => {
  it('reports that no server runs', async () => {
    const { code, stderr } = await status();
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: `lockkeeper: https://127.0.0.1:${port}/healthz/ready does not respond as a Lockkeeper server: ECONNREFUSED\n`,
    });
  });

  it('reports that the server is ready, and that it is not while it stops', async () => {
    expect((await new Command(['init', '--config', config]).ended()).code).toBe(0);
    const server = new Command(['serve', '--config', config]);
    await server.firstLine();
    const { code, stdout } = await status();
    expect({ code, lines: stdout.split('\n').slice(0, 2) }).toEqual({ code: 0, lines: ['ready', '  accepting: ok'] });
    expect(stdout).toContain('  database-access: ok\n');
    expect(JSON.parse((await status('--format', 'json')).stdout)).toMatchObject({ ready: true });
    server.signal('SIGTERM');
    await expect.poll(() => server.stdout).toContain('stopping: reports not ready');
    const stopping = await status();
    expect(stopping).toMatchObject({ code: 6, stderr: 'lockkeeper: the server is not ready\n' });
    expect(stopping.stdout).toMatch(/^not ready\n {2}accepting: failed\n/);
    server.signal('SIGTERM');
    expect((await server.ended()).code).toBe(0);
  });

  it.each([
    ['another answer', '{"status":"up"}', 'another program responds'],
    ['an answer without end', 'x'.repeat(1_000_000), 'the response is too large'],
  ])('takes no other program for the server: %s', async (_name, answer, why) => {
    const other = createServer((_request, response) => response.end(answer)).listen(port, '127.0.0.1');
    const file = join(folder, 'plain.yaml');
    writeFileSync(file, CONFIG(`127.0.0.1:${port}`).replace(/tls: \{.+?\}/, 'plain_http: true'));
    const { code, stderr } = await new Command(['status', '--config', file]).ended();
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining(why) });
    other.close();
  });

  it('fails when the port is chosen at each start', async () => {
    const file = join(folder, 'free.yaml');
    writeFileSync(file, CONFIG('127.0.0.1:0'));
    const { code, stderr } = await new Command(['status', '--config', file]).ended();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('no listener has a fixed port') });
  });
});

const CONFIG = (address: string) => `listeners:
  - { address: '${address}', services: [access], tls: { certificate_file: server.pem, private_key_file: server.key } }
keyring_file: keyring.json
storage: { type: sqlite, directory: data }
limits: { lame_duck: 60s }
`;
