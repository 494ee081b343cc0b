import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../support/command.ts';

/** curl with its own TLS and HTTP implementation. */
describe('curl', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'lockkeeper-curl-')), 'demo');
  let server: DevServer;
  const curl = (...args: string[]): string =>
    execFileSync('curl', ['-sS', '--cacert', server.line.ca_file, ...args], { encoding: 'utf8' });
  const url = (path: string): string => server.line.address + path;
  const root = (): string[] => ['-H', `X-Vault-Token: ${server.line.root_token}`];
  const certificate = (): string[] => ['--cert', server.line.client_cert_file, '--key', server.line.client_key_file];

  beforeAll(async () => {
    server = await startDev(folder);
  });
  afterAll(async () => {
    server.command.signal('SIGTERM');
    await server.command.ended();
    rmSync(folder, { recursive: true });
  });

  it.each(['--http1.1', '--http2'])('lists with LIST on one kept-alive connection, over %s', (version) => {
    const lists = Array.from({ length: 3 }, () => url('/v1/auth/cert/certs'));
    const output = curl(version, '-X', 'LIST', ...root(), '-w', '\n%{num_connects} %{http_version}\n', ...lists);
    const lines = output.trim().split('\n');
    expect(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line).data.keys)).toEqual([
      ['runner'],
      ['runner'],
      ['runner'],
    ]);
    const spoken = version === '--http2' ? '2' : '1.1';
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([`1 ${spoken}`, `0 ${spoken}`, `0 ${spoken}`]);
  });

  it.each(['--tls-max 1.2 --http1.1', '--tlsv1.3 --http1.1', '--tlsv1.3 --http2'])(
    'logs in with a certificate: %s',
    (options) => {
      const output = curl(...options.split(' '), ...certificate(), '-X', 'POST', url('/v1/auth/cert/login'));
      expect(JSON.parse(output).auth.metadata.common_name).toBe('runner-1.lockkeeper.test');
    },
  );

  it('sends a body as a form by default, which the server accepts', () => {
    const output = curl(...certificate(), '-d', '{"name": "runner"}', url('/v1/auth/cert/login'));
    expect(JSON.parse(output).auth.metadata.cert_name).toBe('runner');
  });

  it('locks and unlocks a workspace with the token of its certificate', () => {
    const login = curl(...certificate(), '-X', 'POST', url('/v1/auth/cert/login'));
    const bearer = ['-H', `Authorization: Bearer ${JSON.parse(login).auth.client_token}`];
    const workspaces = JSON.parse(curl(...bearer, url('/api/v2/organizations/demo/workspaces'))).data;
    const { id } = workspaces.find((one: { attributes: { locked: boolean } }) => !one.attributes.locked);
    for (const [action, locked] of [
      ['lock', true],
      ['unlock', false],
    ] as const) {
      const output = curl(...bearer, '-X', 'POST', url(`/api/v2/workspaces/${id}/actions/${action}`));
      expect(JSON.parse(output).data.attributes.locked).toBe(locked);
    }
  });

  it('supports HEAD, and returns 404 for an unknown path', () => {
    expect(curl('-I', url('/v1/sys/health'))).toMatch(/^HTTP\/\S+ 200/);
    expect(curl('-o', '/dev/null', '-w', '%{http_code}', url('/nothing/here'))).toBe('404');
  });
});

/** OpenSSL's client shows the parameters that the listener offers in the handshake. */
describe('openssl s_client', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'lockkeeper-openssl-')), 'demo');
  let server: DevServer;
  const handshake = (...options: string[]): string => {
    const { host } = new URL(server.line.address);
    const args = ['s_client', '-connect', host, '-CAfile', server.line.ca_file, '-ign_eof', ...options];
    // A whole request, so that all messages after the handshake have arrived.
    const input = 'GET /healthz/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    return execFileSync('openssl', args, { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] });
  };

  beforeAll(async () => {
    server = await startDev(folder);
  });
  afterAll(async () => {
    server.command.signal('SIGTERM');
    await server.command.ended();
    rmSync(folder, { recursive: true });
  });

  it.each(['-tls1_2', '-tls1_3'])(
    'is asked for a certificate of any CA, and cannot resume a session: %s',
    (version) => {
      const session = join(folder, `session${version}`);
      const first = handshake(version, '-sess_out', session);
      expect(first).toContain('Verify return code: 0 (ok)');
      expect(first).toContain('No client certificate CA names sent');
      expect(first).toMatch(/^New, /m);
      const second = handshake(version, '-sess_in', session);
      expect(second).toMatch(/^New, /m);
      expect(second).not.toMatch(/^Reused, /m);
    },
  );

  it('cannot speak TLS 1.1', () => {
    expect(() => handshake('-tls1_1', '-cipher', 'DEFAULT@SECLEVEL=0')).toThrow();
  });
});
