import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditEntries } from '../support/audit.ts';
import { Command } from '../support/command.ts';
import { call } from '../support/http.ts';
import { createRoot } from '../support/pki.ts';

describe('lockkeeper serve with an audit log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-audit-'));
  const config = join(folder, 'lockkeeper.yaml');
  const file = join(folder, 'audit.log');
  const serverCa = createRoot();
  let token: string;

  const write = (audit: string) =>
    writeFileSync(
      config,
      `listeners:
  - address: 127.0.0.1:0
    services: [access, workspaces]
    tls: { certificate_file: server.pem, private_key_file: server.key }
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
limits: { lame_duck: 0s }
audit: ${audit}
`,
    );

  beforeAll(async () => {
    const certificate = serverCa.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
    writeFileSync(join(folder, 'server.pem'), certificate.pem);
    writeFileSync(join(folder, 'server.key'), certificate.keyPem);
    write('{ file: audit.log, sinks: [{ type: stdout }] }');
    const { stdout } = await new Command(['init', '--config', config]).ended();
    token = /user token +(\S+)/.exec(stdout)?.[1] ?? '';
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes to each sink, and opens its file again on SIGHUP', async () => {
    const command = new Command(['serve', '--config', config]);
    const { addresses } = JSON.parse(await command.firstLine());
    const ask = async () => {
      const server = { address: addresses[0], ca: serverCa.pem };
      const { status, headers } = await call(server, 'GET', '/api/v2/account/details', { token });
      expect(status).toBe(200);
      return headers['x-request-id'];
    };
    const first = await ask();
    expect(auditEntries(file).map((entry) => entry.request_id)).toEqual([first, first]);
    renameSync(file, `${file}.1`);
    command.signal('SIGHUP');
    await expect.poll(() => readFileSync(file, 'utf8')).toBe('');
    const second = await ask();
    expect(auditEntries(file).map(({ type, request_id }) => [type, request_id])).toEqual([
      ['request', second],
      ['response', second],
    ]);
    expect(auditEntries(`${file}.1`)).toHaveLength(2);

    command.signal('SIGTERM');
    const { code, stdout } = await command.ended();
    const lines = stdout.trimEnd().split('\n');
    const entries = lines
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'request' || type === 'response');
    expect([code, entries.map((entry) => entry.request_id)]).toEqual([0, [first, first, second, second]]);
    expect(stdout).not.toContain(token);
  });

  it('does not start with a file that cannot be opened', async () => {
    write('{ file: nowhere/audit.log }');
    const { code, stderr } = await new Command(['serve', '--config', config]).ended();
    expect([code, stderr]).toEqual([2, expect.stringMatching(/audit: ENOENT.*nowhere\/audit\.log/)]);
  });
});
