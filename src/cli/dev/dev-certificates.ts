import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRoot } from '../../pki/index.ts';

/** PEM files of a demo server. */
export interface DevCertificates {
  /** CA that verifies the server. */
  readonly serverCaFile: string;
  readonly serverCertificateFile: string;
  readonly serverKeyFile: string;
  /** CA of client certificates; the demo role contains it. */
  readonly clientCaFile: string;
  readonly clientCertificateFile: string;
  readonly clientKeyFile: string;
  /** Revoked certificate of the same CA; it is in the CA's CRL. */
  readonly revokedCertificateFile: string;
  readonly revocationListFile: string;
  /** Common name and DNS name of the sample client. */
  readonly clientName: string;
}

const CLIENT_NAME = 'runner-1.lockkeeper.test';
const REVOKED_NAME = 'runner-0.lockkeeper.test';
const DAY = 86_400_000;
const YEAR = 365 * DAY;

/** Creates two independent CAs with a certificate each, and keeps them on disk. */
export function ensureDevCertificates(directory: string, host: string): DevCertificates {
  const file = (name: string) => join(directory, name);
  const files: DevCertificates = {
    serverCaFile: file('server-ca.pem'),
    serverCertificateFile: file('server.pem'),
    serverKeyFile: file('server.key'),
    clientCaFile: file('client-ca.pem'),
    clientCertificateFile: file('client.pem'),
    clientKeyFile: file('client.key'),
    revokedCertificateFile: file('client-revoked.pem'),
    revocationListFile: file('client-ca.crl.pem'),
    clientName: CLIENT_NAME,
  };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const notAfter = new Date(Date.now() + YEAR);
  // Server and client certificates are separate, so that clients stay valid if the demo listens elsewhere.
  once(file('server.json'), { host, notAfter: notAfter.getTime() }, () => mintServer(files, host, notAfter));
  once(file('minted.json'), { notAfter: notAfter.getTime() }, () => mintClients(files, notAfter));
  return files;
}

function mintServer(files: DevCertificates, host: string, notAfter: Date): void {
  const authority = createRoot({ subject: 'Lockkeeper dev server CA', notAfter });
  const server = authority.issue({
    subject: 'localhost',
    dns: ['localhost'],
    ips: [...new Set(['127.0.0.1', '::1', ...addressOf(host)])],
    extendedKeyUsage: ['serverAuth'],
    notAfter,
  });
  write(files.serverCaFile, authority.pem);
  write(files.serverCertificateFile, server.pem);
  write(files.serverKeyFile, server.keyPem);
}

function mintClients(files: DevCertificates, notAfter: Date): void {
  const authority = createRoot({ subject: 'Lockkeeper dev client CA', notAfter });
  const client = authority.issue({ subject: CLIENT_NAME, dns: [CLIENT_NAME], notAfter });
  const revoked = authority.issue({ subject: REVOKED_NAME, dns: [REVOKED_NAME], notAfter });
  write(files.clientCaFile, authority.pem);
  write(files.clientCertificateFile, client.pem);
  write(files.clientKeyFile, client.keyPem);
  write(files.revokedCertificateFile, revoked.pem);
  write(files.revocationListFile, authority.crl({ revoked: [revoked.serial], nextUpdate: notAfter }).pem);
}

const write = (path: string, text: string) => writeFileSync(path, text, { mode: 0o600 });

/** Created certificates: host, and expiry in milliseconds since 1970. */
interface Minted {
  readonly host?: string;
  readonly notAfter: number;
}

/** Creates certificates unless those on disk are for the same host and valid for another week. */
function once(record: string, now: Minted, mint: () => void): void {
  const before = existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as Partial<Minted>) : {};
  const isSame = now.host === undefined || before.host === now.host;
  if (isSame && (before.notAfter ?? 0) > Date.now() + 7 * DAY) return;
  mint();
  write(record, JSON.stringify(now));
}

const addressOf = (host: string): string[] =>
  /^[\d.]+$|:/.test(host) && host !== '0.0.0.0' && host !== '::' ? [host] : [];
