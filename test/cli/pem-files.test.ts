import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command, type DevServer, type Finished, startDev } from '../support/command.ts';
import { createRoot } from '../support/pki.ts';

/** Passes certificate files, in the forms that other tools write, to commands that run as separate processes. */
describe('lockkeeper, given a certificate in another form', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-forms-'));
  const file = (name: string) => join(folder, name);
  const ca = createRoot({ subject: 'Forms CA' });
  const second = createRoot({ subject: 'Second CA' });
  let server: DevServer;

  beforeAll(async () => {
    server = await startDev(join(folder, 'dev'));
    writeFileSync(file('ca.pem'), ca.pem + second.pem);
    writeFileSync(file('one.pem'), ca.pem);
    writeFileSync(file('ca.key'), ca.keyPem);
    writeFileSync(file('ca.der'), ca.der);
    writeFileSync(file('ca.utf16'), Buffer.from(`\ufeff${ca.pem}`, 'utf16le'));
    writeFileSync(file('list.der'), ca.crl().der);
    const openssl = (...args: string[]) => execFileSync('openssl', args);
    openssl('crl2pkcs7', '-nocrl', '-certfile', file('ca.pem'), '-outform', 'DER', '-out', file('ca.p7b'));
    openssl('crl2pkcs7', '-nocrl', '-certfile', file('ca.pem'), '-out', file('ca.p7c'));
    const export12 = ['-export', '-in', file('one.pem'), '-inkey', file('ca.key'), '-passout', 'pass:x'];
    openssl('pkcs12', ...export12, '-out', file('ca.p12'));
    openssl('x509', '-in', server.line.client_cert_file, '-outform', 'DER', '-out', file('client.der'));
    openssl('pkey', '-in', server.line.client_key_file, '-outform', 'DER', '-out', file('client.key.der'));
    openssl('x509', '-in', server.line.ca_file, '-outform', 'DER', '-out', file('server.der'));
  });
  afterAll(async () => {
    server.command.signal('SIGTERM');
    await server.command.ended();
    rmSync(folder, { recursive: true });
  });

  const run = (args: readonly string[], input?: Buffer): Promise<Finished> => {
    const command = new Command(args, {
      LOCKKEEPER_ADDR: server.line.address,
      LOCKKEEPER_CACERT: file('server.der'),
      LOCKKEEPER_TOKEN: server.line.root_token,
      LOCKKEEPER_RUNTIME_DIR: join(folder, 'run'),
    });
    if (input !== undefined) command.process.stdin?.end(input);
    return command.ended();
  };
  const done = async (args: readonly string[], input?: Buffer) => {
    const { code, stdout, stderr } = await run(args, input);
    expect([code, stderr], args.join(' ')).toEqual([0, '']);
    return stdout;
  };
  const stored = async () =>
    JSON.parse(await done(['read', 'auth/cert/certs/forms', '--format', 'json'])).data.certificate;

  it.each([
    ['DER', 'ca.der', () => ca.pem],
    ['PKCS#7', 'ca.p7b', () => ca.pem + second.pem],
    ['PKCS#7 in PEM', 'ca.p7c', () => ca.pem + second.pem],
  ])('writes a role from %s, as a file and on standard input', async (_, name, pem) => {
    await done(['write', 'auth/cert/certs/forms', `certificate=@${file(name)}`]);
    expect((await stored()).replace(/\s/g, '')).toBe(pem().replace(/\s/g, ''));
    await done(['delete', 'auth/cert/certs/forms']);
    await done(['write', 'auth/cert/certs/forms', 'certificate=-'], readFileSync(file(name)));
    expect((await stored()).replace(/\s/g, '')).toBe(pem().replace(/\s/g, ''));
  });

  it('writes a CRL from DER', async () => {
    await done(['write', 'auth/cert/crls/forms', `crl=@${file('list.der')}`]);
    expect(await done(['read', 'auth/cert/crls/forms', '--field', 'issuer'])).toContain('Forms CA');
  });

  it('explains and logs in with DER, the key too', async () => {
    const login = ['--cert', file('client.der'), '--key', file('client.key.der')];
    expect(await done(['cert', 'explain', file('client.der'), '--role', 'runner', '--field', 'admitted'])).toBe(
      'true\n',
    );
    expect(await done(['login', '--print', ...login, '--role', 'runner'])).toMatch(/^lks\./);
  });

  it.each([
    ['ca.p12', 'PKCS#12 (p12, pfx), which holds a private key'],
    ['ca.utf16', 'in UTF-16: save it as UTF-8'],
  ])('says what %s is, and what to do', async (name, reason) => {
    for (const args of [
      ['write', 'auth/cert/certs/forms', `certificate=@${file(name)}`],
      ['cert', 'explain', file(name)],
      ['login', '--cert', file(name), '--key', file(name)],
      ['read', 'auth/cert/certs', '--ca-cert', file(name)],
    ]) {
      const { code, stderr } = await run(args);
      expect(code, args.join(' ')).toBe(2);
      expect(stderr).toContain(`cannot use ${file(name)}`);
      expect(stderr).toContain(reason);
    }
  });

  it('shows the warnings of a write', async () => {
    const role = ['write', 'auth/cert/certs/forms', `certificate=@${file('ca.der')}`, 'token_bound_cidr=10.0.0.0/8'];
    const { code, stderr } = await run(role);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: Endpoint ignored these unrecognized parameters: [token_bound_cidr]');
    expect(stderr).toContain('warning: "token_bound_cidr" has no effect: did you mean "token_bound_cidrs"?');
  });
});
