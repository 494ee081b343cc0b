import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../support/command.ts';
import { call } from '../support/http.ts';
import { createRoot } from '../support/pki.ts';

describe('lockkeeper user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-user-'));
  const config = join(folder, 'lockkeeper.yaml');
  const serverCa = createRoot();
  const run = (...args: string[]) => new Command(['user', ...args, '--config', config]).ended();

  beforeAll(async () => {
    const server = serverCa.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
    writeFileSync(join(folder, 'server.pem'), server.pem);
    writeFileSync(join(folder, 'server.key'), server.keyPem);
    writeFileSync(
      config,
      `listeners:
  - address: 127.0.0.1:0
    services: [workspaces]
    tls: { certificate_file: server.pem, private_key_file: server.key }
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
limits: { lame_duck: 0s }
audit: { file: audit.log }
`,
    );
    expect((await new Command(['init', '--config', config]).ended()).code).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('creates users beside a running server, and confirms their email addresses', async () => {
    const command = new Command(['serve', '--config', config]);
    const [address = ''] = JSON.parse(await command.firstLine()).addresses;
    const created = await run('create', '--username', 'grace', '--email', 'grace@example.com');
    expect(created.code, created.stderr).toBe(0);
    const token = /user token +(\S+)/.exec(created.stdout)?.[1] ?? '';
    const details = () => call({ address, ca: serverCa.pem }, 'GET', '/api/v2/account/details', { token });
    expect((await details()).body).toMatchObject({ data: { attributes: { username: 'grace' } } });
    const confirmed = await run('confirm-email', '--username', 'grace', '--email', 'hopper@example.com');
    expect(confirmed.stdout).toBe('user grace has the email address hopper@example.com\n');
    expect((await details()).body).toMatchObject({ data: { attributes: { email: 'hopper@example.com' } } });
    command.signal('SIGTERM');
    await command.ended();
  });

  it('says what is wrong', async () => {
    for (const [args, message, expected] of [
      [['create', '--username', 'admin', '--email', 'second@example.com'], 'Username has already been taken', 5],
      [['create', '--username', 'second', '--email', 'nobody'], 'Email is not a valid email address', 1],
      [['confirm-email', '--username', 'nobody', '--email', 'a@example.com'], 'no such user', 4],
    ] as const) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout, stderr]).toEqual([expected, '', `lockkeeper: ${message}\n`]);
    }
  });
});
