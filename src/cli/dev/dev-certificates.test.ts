import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureDevCertificates } from './dev-certificates.ts';

test('the certificates of a demo are kept; one that listens elsewhere has a new one of the server, and its clients stay', () => {
  const directory = mkdtempSync(join(tmpdir(), 'demo-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const minted = (host: string) => {
    const { serverCertificateFile, clientCaFile, clientCertificateFile } = ensureDevCertificates(directory, host);
    return [serverCertificateFile, clientCaFile, clientCertificateFile].map((file) => readFileSync(file, 'utf8'));
  };
  const first = minted('127.0.0.1');
  expect(minted('127.0.0.1')).toEqual(first);
  const [server, ...clients] = minted('127.0.0.2');
  expect(server).not.toBe(first[0]);
  expect(clients).toEqual(first.slice(1));
});
