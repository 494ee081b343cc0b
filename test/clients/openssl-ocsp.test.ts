import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { OcspSettings, RevocationVerdict } from '../../src/revocation/ocsp-client.ts';
import { Certificate, ocspRequest } from '../../src/x509/index.ts';
import { createTestClient, stopResponders } from '../support/ocsp-responder.ts';
import { type Authority, createRoot, type Minted } from '../support/pki.ts';

const HOUR = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-ocsp-'));
const running = new Set<ChildProcess>();
const proxies = new Set<{ close(): void }>();

interface ResponderOptions {
  readonly issuer: Authority;
  /** Default: the issuer. */
  readonly signer?: Minted;
  /** More options of the responder. */
  readonly options?: readonly string[];
}

afterEach(async () => {
  await Promise.all([...running].map(stop));
  for (const proxy of proxies) proxy.close();
  proxies.clear();
  await stopResponders();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function fileWith(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** `openssl ocsp` on a free port; it knows the certificates of its index. */
async function startOpenssl({ issuer, signer = issuer, options = [] }: ResponderOptions): Promise<string> {
  const child = spawn('openssl', [
    'ocsp',
    ...['-port', '0', '-index', fileWith('index.txt', indexOf(issuer)), '-CA', fileWith('ca.pem', issuer.pem)],
    ...['-rsigner', fileWith('signer.pem', signer.pem), '-rkey', fileWith('signer.key', signer.keyPem)],
    ...options,
  ]);
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^ACCEPT .*:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return `http://127.0.0.1:${port}`;
  }
  throw new Error('openssl ocsp did not start');
}

const certificates = new Map<Authority, { good: Minted; revoked: Minted; unknown: Minted }>();

function certificatesOf(issuer: Authority): { good: Minted; revoked: Minted; unknown: Minted } {
  const known = certificates.get(issuer);
  if (known !== undefined) return known;
  const issued = {
    good: issuer.issue({ subject: 'good' }),
    revoked: issuer.issue({ subject: 'revoked' }),
    unknown: issuer.issue({ subject: 'unknown' }),
  };
  certificates.set(issuer, issued);
  return issued;
}

/** Database of a CA in OpenSSL's format: state, expiry, revocation, serial number, file, subject. */
function indexOf(issuer: Authority): string {
  const { good, revoked } = certificatesOf(issuer);
  const line = (state: string, revocation: string, { serial }: Minted) =>
    `${[state, '401231235959Z', revocation, hexOf(serial), 'unknown', '/CN=x'].join('\t')}\n`;
  return line('V', '', good) + line('R', '251101000000Z,keyCompromise', revoked);
}

function hexOf(serial: bigint): string {
  const hex = serial.toString(16).toUpperCase();
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

/** Forwards every connection after a delay. */
async function slowProxy(target: string, milliseconds: number): Promise<string> {
  const proxy = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.once('close', () => upstream.destroy());
    upstream.pipe(client);
    setTimeout(() => client.pipe(upstream), milliseconds);
  });
  proxies.add(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const issuer = createRoot({ subject: 'Issuing CA' });
const issued = certificatesOf(issuer);
const delegate = issuer.issue({ subject: 'Delegate', extendedKeyUsage: ['ocspSigning'] });
const current = ['-ndays', '1'];

function ask(
  serversOverride: string[],
  certificate: Minted,
  by: Authority = issuer,
  settings: Partial<OcspSettings> = {},
): Promise<RevocationVerdict> {
  return createTestClient().check({ serversOverride, ...settings }, certificate, by);
}

describe('openssl ocsp', () => {
  it('accepts our requests, with and without a nonce', () => {
    const [certificate, authority] = [Certificate.parse(issued.good.der), Certificate.parse(issuer.der)];
    const read = (request: Buffer) => {
      const args = ['ocsp', '-reqin', fileWith('request.der', request), '-req_text'];
      return execFileSync('openssl', args, { encoding: 'utf8' });
    };
    expect(read(ocspRequest(certificate, authority))).toContain(`Serial Number: ${hexOf(issued.good.serial)}`);
    const withNonce = read(ocspRequest(certificate, authority, Buffer.alloc(32, 7)));
    expect(withNonce).toMatch(/OCSP Nonce:\s+0420(07){32}\n/);
  });

  it.each([
    ['that signs with the key of the issuer', {}],
    ['that is a delegate of the issuer', { signer: delegate }],
    ['that names itself by its key', { signer: delegate, options: [...current, '-resp_key_id'] }],
    ['that sends no certificates along', { options: [...current, '-resp_no_certs'] }],
    ['that says no next update', { options: [] }],
  ])('%s returns good, revoked and unknown', async (_, options) => {
    const servers = [await startOpenssl({ issuer, options: current, ...options })];
    expect(await ask(servers, issued.good)).toMatchObject({ outcome: 'passed' });
    const revoked = await ask(servers, issued.revoked, issuer, { failOpen: true });
    expect(revoked).toMatchObject({ outcome: 'refused' });
    expect(revoked.actual).toContain('revoked at 2025-11-01T00:00:00.000Z (keyCompromise)');
    const unknown = await ask(servers, issued.unknown);
    expect(unknown).toMatchObject({ outcome: 'refused' });
    expect(unknown.actual).toContain('unknown, as of');
    expect(await ask(servers, issued.unknown, issuer, { failOpen: true })).toMatchObject({ outcome: 'passed' });
  });

  it.each(['RSA-2048', 'P-384', 'Ed25519'] as const)('with a key of type %s is accepted', async (key) => {
    const authority = createRoot({ subject: 'Authority', key });
    const { good, revoked } = certificatesOf(authority);
    const servers = [await startOpenssl({ issuer: authority, options: current })];
    expect(await ask(servers, good, authority)).toMatchObject({ outcome: 'passed' });
    expect(await ask(servers, revoked, authority)).toMatchObject({ outcome: 'refused' });
  });

  it.each([
    ['an ordinary client certificate', issued.good],
    ['a delegate for any purpose', issuer.issue({ extendedKeyUsage: ['any'] })],
    ['a delegate of another authority', createRoot().issue({ extendedKeyUsage: ['ocspSigning'] })],
    ['another authority of the same name', createRoot({ subject: 'Issuing CA' })],
  ])('that signs with %s is refused, fail-open or not', async (_, signer) => {
    const servers = [await startOpenssl({ issuer, signer, options: current })];
    expect(await ask(servers, issued.good, issuer, { failOpen: true })).toMatchObject({ outcome: 'refused' });
  });

  it('that the role trusts is accepted', async () => {
    const own = createRoot({ subject: 'Own responder' });
    const servers = [await startOpenssl({ issuer, signer: own, options: current })];
    const responderCertificates = [Certificate.parse(own.der)];
    expect(await ask(servers, issued.good, issuer, { responderCertificates })).toMatchObject({ outcome: 'passed' });
    expect(await ask(servers, issued.revoked, issuer, { responderCertificates })).toMatchObject({ outcome: 'refused' });
  });

  it.each(['sha1', 'md5'])('that signs a %s digest is refused', async (hash) => {
    const authority = createRoot({ subject: 'Authority', key: 'RSA-2048' });
    const options = [...current, '-rmd', hash];
    const servers = [await startOpenssl({ issuer: authority, options })];
    const { good } = certificatesOf(authority);
    const verdict = await ask(servers, good, authority, { failOpen: true });
    expect(verdict).toMatchObject({ outcome: 'refused' });
    expect(verdict.actual).toContain('signature-algorithm');
  });

  it('whose answer has expired is refused', async () => {
    const serversOverride = [await startOpenssl({ issuer, options: ['-nmin', '1'] })];
    const client = createTestClient();
    client.advance(HOUR);
    const verdict = await client.check({ serversOverride, failOpen: true }, issued.good, issuer);
    expect(verdict).toMatchObject({ outcome: 'refused' });
    expect(verdict.actual).toContain('next-update');
  });

  it('that is slow is awaited until a timeout', async () => {
    const server = await startOpenssl({ issuer, options: current });
    expect(await ask([await slowProxy(server, 100)], issued.good)).toMatchObject({ outcome: 'passed' });
    const serversOverride = [await slowProxy(server, 60_000)];
    const impatient = createTestClient({ perTry: 200 });
    const verdict = await impatient.check({ serversOverride }, issued.good, issuer);
    expect(verdict).toMatchObject({ outcome: 'refused' });
    expect(verdict.actual).toContain('timeout');
    expect(await impatient.check({ serversOverride, failOpen: true }, issued.good, issuer)).toMatchObject({
      outcome: 'passed',
    });
  });

  it('that is down is skipped for the next one, and ignored only with fail-open', async () => {
    const dead = await startOpenssl({ issuer });
    await Promise.all([...running].map(stop));
    expect(await ask([dead], issued.good)).toMatchObject({ outcome: 'refused' });
    expect(await ask([dead], issued.good, issuer, { failOpen: true })).toMatchObject({ outcome: 'passed' });
    const alive = await startOpenssl({ issuer, options: current });
    expect(await ask([dead, alive], issued.good)).toMatchObject({ outcome: 'passed' });
    expect(await ask([dead, alive], issued.revoked, issuer, { failOpen: true })).toMatchObject({ outcome: 'refused' });
    expect(await ask([dead, alive], issued.good, issuer, { queryAllServers: true })).toMatchObject({
      outcome: 'refused',
    });
  });
});
