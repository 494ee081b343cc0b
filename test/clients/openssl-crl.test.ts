import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimalOf, type ReadList, RevocationList, readList } from '../../src/revocation/crl/index.ts';
import { Certificate } from '../../src/x509/index.ts';
import { createRoot, type KeyType } from '../support/pki.ts';

const REVOKED = {
  '01': '260102030405Z',
  '80FF': '260102030405Z,keyCompromise',
  '7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF': '260102030405Z,superseded',
};
const CONFIG = `[ca]
default_ca = test
[test]
database = index.txt
crlnumber = crlnumber
default_md = sha256
default_crl_days = 7
crl_extensions = extensions
[extensions]
authorityKeyIdentifier = keyid:always
`;

/** CRLs that OpenSSL's own CA has issued, in both forms. */
describe.each<KeyType>(['P-256', 'RSA-2048', 'Ed25519'])('a CRL from OpenSSL, signed with %s', (key) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-crl-'));
  const root = createRoot({ subject: 'OpenSSL CA', key });
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
  const load = (file: string): Promise<ReadList> => readList(createReadStream(join(folder, file)));

  beforeAll(() => {
    const lines = Object.entries(REVOKED).map(
      ([serial, date]) => `R\t270102030405Z\t${date}\t${serial}\tunknown\t/CN=x`,
    );
    writeFileSync(join(folder, 'index.txt'), `${lines.join('\n')}\n`);
    writeFileSync(join(folder, 'crlnumber'), '0123456789ABCDEF\n');
    writeFileSync(join(folder, 'config'), CONFIG);
    writeFileSync(join(folder, 'ca.pem'), root.pem);
    writeFileSync(join(folder, 'ca.key'), root.keyPem);
    const digest = key === 'Ed25519' ? ['-md', 'null'] : [];
    const authority = ['-config', 'config', '-cert', 'ca.pem', '-keyfile', 'ca.key', ...digest];
    openssl('ca', '-gencrl', ...authority, '-out', 'list.pem');
    openssl('crl', '-in', 'list.pem', '-outform', 'DER', '-out', 'list.der');
    writeFileSync(join(folder, 'list.txt'), openssl('crl', '-in', 'list.pem', '-text'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['list.pem', 'list.der', 'list.txt'])('is parsed from %s', async (file) => {
    const read = await load(file);
    expect(read.info).toMatchObject({ version: 2, number: 0x0123456789abcdefn, entries: 3, unusable: undefined });
    const serials = [...(read.serials.serials() ?? [])].map(decimalOf);
    expect(serials.sort()).toEqual(
      Object.keys(REVOKED)
        .map((hex) => String(BigInt(`0x${hex}`)))
        .sort(),
    );
    const list = new RevocationList(read, () => createReadStream(join(folder, 'list.der')), { allowSha1: false });
    expect(await list.signatureFault(Certificate.parse(root.der))).toBeUndefined();
  });

  it('has revocation times and reasons', async () => {
    const { serials } = await load('list.der');
    const revokedAt = Date.UTC(2026, 0, 2, 3, 4, 5);
    expect(serials.find(Buffer.from('0080ff', 'hex'))).toEqual({ revokedAt, reason: 'keyCompromise' });
    expect(serials.find(Buffer.from('01', 'hex'))).toEqual({ revokedAt, reason: 'unspecified' });
  });
});
