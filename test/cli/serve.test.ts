import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../support/command.ts';
import { call } from '../support/http.ts';
import { createRoot } from '../support/pki.ts';

describe('lockkeeper init and serve', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-serve-'));
  const config = join(folder, 'lockkeeper.yaml');
  const serverCa = createRoot();
  let tokens: { root: string; user: string };

  beforeAll(() => {
    const certificate = serverCa.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
    writeFileSync(join(folder, 'server.pem'), certificate.pem);
    writeFileSync(join(folder, 'server.key'), certificate.keyPem);
    writeFileSync(
      config,
      `listeners:
  - address: 127.0.0.1:0
    services: [access, workspaces]
    tls: { certificate_file: server.pem, private_key_file: server.key }
  - address: 127.0.0.1:0
    services: [metrics]
    plain_http: true
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
limits: { lame_duck: 0s }
audit: { file: audit.log }
`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('serves nothing before init, and says what to do', async () => {
    const { code, stderr } = await new Command(['serve', '--config', config]).ended();
    expect(code).toBe(1);
    expect(stderr).toMatch(/keyring\.json does not exist; run `lockkeeper init --config .*lockkeeper\.yaml` first/);
  });

  it('prints the first tokens once, and makes the keyring readable only by its owner', async () => {
    const { code, stdout } = await new Command(['init', '--config', config, '--username', 'ada']).ended();
    expect(code).toBe(0);
    tokens = { root: /root token +(\S+)/.exec(stdout)?.[1] ?? '', user: /user token +(\S+)/.exec(stdout)?.[1] ?? '' };
    expect(tokens).toEqual({ root: expect.stringMatching(/^lks\./), user: expect.stringMatching(/^lku\./) });
    expect(statSync(join(folder, 'keyring.json')).mode & 0o777).toBe(0o600);
    const again = await new Command(['init', '--config', config]).ended();
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toMatch(/already initialized/);
  });

  it('serves on each listener what it is configured for, with no data but the first tokens', async () => {
    const command = new Command(['serve', '--config', config]);
    const { addresses } = JSON.parse(await command.firstLine());
    const [apis, metrics] = addresses;
    const server = { address: apis, ca: serverCa.pem };
    expect((await call(server, 'GET', '/v1/auth/token/lookup-self', { token: tokens.root })).status).toBe(200);
    expect((await call(server, 'LIST', '/v1/auth/cert/certs', { token: tokens.root })).status).toBe(404);
    const account = await call(server, 'GET', '/api/v2/account/details', { token: tokens.user });
    expect(account.body.data.attributes.username).toBe('ada');
    expect((await call(server, 'GET', '/api/v2/organizations', { token: tokens.user })).body.data).toEqual([]);
    expect((await call(server, 'GET', '/metrics')).status).toBe(404);
    expect(metrics).toMatch(/^http:/);
    expect(await (await fetch(`${metrics}/metrics`)).text()).toContain('http_requests_total');
    command.signal('SIGTERM');
    expect(await command.ended()).toMatchObject({ code: 0, stderr: '' });
  });

  it('refuses a keyring that does not match the database, and explains the remedy', async () => {
    const other = join(folder, 'other.json');
    const command = new Command(['init', '--config', config, '--set', `keyring_file=${other}`]);
    const { code, stderr } = await command.ended();
    expect(code).toBe(1);
    expect(stderr).toMatch(/keyring/);
  });

  it('names the file when its TLS certificate cannot be read', async () => {
    const bad = join(folder, 'bad.yaml');
    writeFileSync(
      bad,
      `listeners:
  - address: 127.0.0.1:0
    services: [access]
    tls: { certificate_file: missing.pem, private_key_file: server.key }
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
limits: { lame_duck: 0s }
`,
    );
    const { code, stderr } = await new Command(['serve', '--config', bad]).ended();
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/listeners\[0\]\.tls\.certificate_file: cannot read .*missing\.pem/),
    ]);
  });

  it('refuses a wrong command line with 2, and a wrong file with a list of all errors', async () => {
    expect((await new Command(['serve']).ended()).code).toBe(2);
    expect((await new Command(['nonsense']).ended()).code).toBe(2);
    writeFileSync(join(folder, 'wrong.yaml'), 'listeners: []\nfoo: 1\n');
    const { code, stderr } = await new Command(['serve', '--config', join(folder, 'wrong.yaml')]).ended();
    expect(code).toBe(2);
    expect(stderr).toMatch(/wrong\.yaml is not valid:\n/);
    expect(stderr).toMatch(/foo: unknown key/);
    expect(stderr).toMatch(/storage: missing/);
    expect((await new Command(['serve', '--config', join(folder, 'none.yaml')]).ended()).stderr).toMatch(/cannot read/);
    expect((await new Command(['--version']).ended()).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });
});
