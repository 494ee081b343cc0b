import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRoot } from '../../pki/index.ts';

/** The PEM files of a demo installation. */
export interface DevCertificates {
  /** What a client trusts the server by. */
  readonly serverCaFile: string;
  readonly serverCertificateFile: string;
  readonly serverKeyFile: string;
  /** What the server trusts clients by: registered in the demo role. */
  readonly clientCaFile: string;
  readonly clientCertificateFile: string;
  readonly clientKeyFile: string;
  /** Of the same authority; it is in its revocation list. */
  readonly revokedCertificateFile: string;
  readonly revocationListFile: string;
  /** The common name and DNS name of the sample client. */
  readonly clientName: string;
}

const CLIENT_NAME = 'runner-1.lockkeeper.test';
const REVOKED_NAME = 'runner-0.lockkeeper.test';
const DAY = 86_400_000;
const YEAR = 365 * DAY;

/** Two authorities that have nothing to do with each other, and a certificate of each; minted once and kept. */
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
  if (isCurrent(file('minted.json'), host)) return files;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const notAfter = new Date(Date.now() + YEAR);
  const serverCa = createRoot({ subject: 'Lockkeeper dev server CA', notAfter });
  const server = serverCa.issue({
    subject: 'localhost',
    dns: ['localhost'],
    ips: [...new Set(['127.0.0.1', '::1', ...addressOf(host)])],
    extendedKeyUsage: ['serverAuth'],
    notAfter,
  });
  const clientCa = createRoot({ subject: 'Lockkeeper dev client CA', notAfter });
  const client = clientCa.issue({ subject: CLIENT_NAME, dns: [CLIENT_NAME], notAfter });
  const write = (path: string, text: string) => writeFileSync(path, text, { mode: 0o600 });
  write(files.serverCaFile, serverCa.pem);
  write(files.serverCertificateFile, server.pem);
  write(files.serverKeyFile, server.keyPem);
  write(files.clientCaFile, clientCa.pem);
  write(files.clientCertificateFile, client.pem);
  write(files.clientKeyFile, client.keyPem);
  const revoked = clientCa.issue({ subject: REVOKED_NAME, dns: [REVOKED_NAME], notAfter });
  write(files.revokedCertificateFile, revoked.pem);
  write(files.revocationListFile, clientCa.crl({ revoked: [revoked.serial], nextUpdate: notAfter }).pem);
  write(file('minted.json'), JSON.stringify({ host, notAfter: notAfter.getTime() }));
  return files;
}

/** Minted for this host and good for another week. */
function isCurrent(record: string, host: string): boolean {
  if (!existsSync(record)) return false;
  const minted = JSON.parse(readFileSync(record, 'utf8')) as { host?: string; notAfter?: number };
  return minted.host === host && (minted.notAfter ?? 0) > Date.now() + 7 * DAY;
}

const addressOf = (host: string): string[] =>
  /^[\d.]+$|:/.test(host) && host !== '0.0.0.0' && host !== '::' ? [host] : [];
