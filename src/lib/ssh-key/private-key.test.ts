import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { privateKeyOf } from './private-key.ts';

const hasOpenSsh = spawnSync('ssh-keygen', ['-?']).error === undefined;
const folder = mkdtempSync(join(tmpdir(), 'ssh-key-'));
let count = 0;

function made(...args: string[]): { readonly key: string; readonly shown: string } {
  const file = join(folder, `key-${count++}`);
  execFileSync('ssh-keygen', ['-q', '-N', '', '-f', file, ...args]);
  return { key: readFileSync(file, 'utf8'), shown: readFileSync(`${file}.pub`, 'utf8') };
}

/** Returns the public key that `ssh` reads from a private one, without its comment. */
function publicKeyOf(key: string): string {
  const file = join(folder, `key-${count++}`);
  writeFileSync(file, key, { mode: 0o600 });
  return keyOnly(execFileSync('ssh-keygen', ['-y', '-P', '', '-f', file], { encoding: 'utf8' }));
}

const keyOnly = (line: string) => line.trim().split(' ').slice(0, 2).join(' ');
const taken = (text: string): string => {
  const read = privateKeyOf(text);
  if ('problem' in read) throw new Error(read.problem);
  return read.key;
};
const problem = (text: string): string => {
  const read = privateKeyOf(text);
  return 'problem' in read ? read.problem : 'none';
};
const pem = (key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8') =>
  key.export({ type: type as 'pkcs8', format: 'pem' }) as string;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' });

test.skipIf(!hasOpenSsh).each([
  ['OpenSSH, ed25519', ['-t', 'ed25519', '-C', 'somebody@example.com']],
  ['OpenSSH, RSA', ['-t', 'rsa', '-b', '2048']],
  ['OpenSSH, P-256', ['-t', 'ecdsa', '-b', '256']],
  ['OpenSSH, P-521', ['-t', 'ecdsa', '-b', '521']],
  ['PKCS#1', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
  ['SEC1', ['-t', 'ecdsa', '-m', 'PEM']],
  ['PKCS#8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8']],
])('accepts a key in the form %s, whatever a form or an editor did to its lines', (_, args) => {
  const { key, shown } = made(...args);
  const [first = '', ...rest] = key.trimEnd().split('\n');
  const last = rest.pop();
  for (const text of [
    ...[
      key,
      key.trimEnd(),
      `\n\n  ${key}\n\n`,
      `\ufeff${key}`,
      key.replaceAll('\n', '\r\n'),
      key.replaceAll('\n', '\r'),
    ],
    ...[
      key.replaceAll('\n', '\n    '),
      key.replaceAll('\n', '\\n'),
      `${first} ${rest.join(' ')} ${last}`,
      `${key}${shown}`,
    ],
  ]) {
    expect(publicKeyOf(taken(text))).toBe(keyOnly(shown));
  }
});

test.skipIf(!hasOpenSsh)('every OpenSSH reads a key that OpenSSL created', () => {
  for (const { privateKey } of [rsa, ed25519, ec]) expect(publicKeyOf(taken(pem(privateKey)))).toMatch(/^(ssh|ecdsa)-/);
  expect(taken(pem(ed25519.privateKey))).toContain('BEGIN OPENSSH');
  const parameters = '-----BEGIN EC PARAMETERS-----\nBgUrgQQAIg==\n-----END EC PARAMETERS-----\n';
  expect(publicKeyOf(taken(`${parameters}${pem(ec.privateKey, 'sec1')}`))).toMatch(/^ecdsa-sha2-nistp384/);
  // The reader accepts its own output.
  expect(taken(taken(pem(ed25519.privateKey)))).toMatch(/^-----BEGIN OPENSSH/);
});

const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'hunter22' } as const;
const OLD = { ...encrypted, type: 'pkcs1' } as const;
const dsa = () => generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).privateKey;

test.each([
  ['a public key of OpenSSH', () => 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@example.com', 'is a public key'],
  ['another', () => 'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTY= me', 'is a public key'],
  ['a public key in PEM', () => ec.publicKey.export({ type: 'spki', format: 'pem' }) as string, 'is a public key'],
  ['a certificate', () => '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', 'is a certificate'],
  ['nonsense', () => 'abc', 'is not a private key'],
  ['nothing but lines', () => '\n\n', 'is not a private key'],
  ['a key of PuTTY', () => 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', 'puttygen'],
  ['base64 of a key', () => Buffer.from(pem(rsa.privateKey)).toString('base64'), 'encoded in base64'],
  ['an encrypted PKCS#8', () => rsa.privateKey.export(encrypted) as string, 'has a passphrase'],
  ['an encrypted PKCS#1', () => rsa.privateKey.export(OLD) as string, 'has a passphrase'],
  ['a key without its end', () => pem(rsa.privateKey).slice(0, 900), 'damaged or incomplete'],
  ['a key without its middle', () => pem(rsa.privateKey).replace(/\n.{64}\n.{64}\n/, '\n'), 'damaged or incomplete'],
  ['no base64', () => '-----BEGIN PRIVATE KEY-----\n!!!\n-----END PRIVATE KEY-----', 'damaged or incomplete'],
  ['two keys', () => pem(rsa.privateKey) + pem(ec.privateKey), 'several private keys'],
  ['DSA', () => pem(dsa()), 'which SSH does not use'],
  ['Ed448', () => pem(generateKeyPairSync('ed448').privateKey), 'which SSH does not use'],
  ['RSA-PSS', () => pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey), 'which SSH does not use'],
  ['a short RSA key', () => pem(generateKeyPairSync('rsa', { modulusLength: 768 }).privateKey), '768 bits'],
  ['another curve', () => pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey), 'curve secp256k1'],
])('%s is refused with the reason', (_, text, reason) => {
  expect(problem(text())).toContain(reason);
});

test.skipIf(!hasOpenSsh)('refuses OpenSSH keys with a passphrase or truncated at any position', () => {
  const { key } = made('-t', 'ed25519');
  const file = join(folder, 'locked');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'hunter22', '-f', file]);
  expect(problem(readFileSync(file, 'utf8'))).toContain('has a passphrase');
  const lines = key.trimEnd().split('\n');
  for (let at = 1; at < lines.length - 1; at++) {
    expect(problem(lines.toSpliced(at, 1).join('\n'))).toContain('damaged');
  }
});
