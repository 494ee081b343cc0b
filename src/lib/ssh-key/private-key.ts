import { createPrivateKey, type KeyObject } from 'node:crypto';
import { openSshProblem, openSshText } from './openssh-format.ts';

/**
 * A private key that OpenSSH reads, or the reason why the text is none, worded as the end of a sentence whose subject
 * is the key.
 */
export type PrivateKeyText = { readonly key: string } | { readonly problem: string };

const OPENSSH = 'OPENSSH PRIVATE KEY';
/** OpenSSL writes 64 characters a line, OpenSSH 70. Each reads both. */
const LINE = /.{1,64}/g;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----((?:(?!-----)[\s\S])*)-----END \1-----/g;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];
/** Minimum size that OpenSSH accepts, bits. */
const SHORTEST_RSA = 1024;

const PASSPHRASE = 'has a passphrase, which cannot be entered in a run: remove it with `ssh-keygen -p -N ""`';
const PUBLIC = 'is a public key: send the private key that belongs to it';
const NO_KEY =
  'is not a private key: a private key starts with a line such as -----BEGIN OPENSSH PRIVATE KEY----- and ends with the matching END line';
const CUT = 'is damaged or incomplete: send the whole file';

/** Other texts that users mistake for a private key. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^(ssh-|ecdsa-sha2-|sk-(ssh|ecdsa))\S*\s+AAAA/m, PUBLIC],
  [/^---- BEGIN SSH2 PUBLIC KEY/m, PUBLIC],
  [/^-----BEGIN ([A-Z]+ )?PUBLIC KEY-----/m, PUBLIC],
  [/^-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/m, 'is a certificate: send the private key'],
  [/^PuTTY-User-Key-File/, 'is a PuTTY key: convert it with `puttygen KEY -O private-openssh`'],
  [/^---- BEGIN SSH2/m, 'is a key of another SSH program: convert it with `ssh-keygen -i`'],
  [/^LS0tLS1CRUdJTi/, 'is encoded in base64: send the decoded text'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, CUT],
];

/**
 * Reads a pasted SSH private key. Repairs line ends, white space around and within lines, `\n` written as text, a
 * missing line end and text around the key. Returns a problem for a key that `ssh` cannot use without user interaction.
 */
export function privateKeyOf(pasted: string): PrivateKeyText {
  const text = pasted.replaceAll('\\r', '').replaceAll('\\n', '\n');
  const keys = [...text.matchAll(BLOCK)].filter(([, label = '']) => label.endsWith('PRIVATE KEY'));
  const [, label = '', body = ''] = keys[0] ?? [];
  if (keys.length === 0) return { problem: OTHERS.find(([form]) => form.test(text.trim()))?.[1] ?? NO_KEY };
  if (keys.length > 1) return { problem: 'has several private keys: send one' };
  if (label === 'ENCRYPTED PRIVATE KEY' || /Proc-Type:\s*4,\s*ENCRYPTED/.test(body)) return { problem: PASSPHRASE };
  const base64 = body.replaceAll(/\s/g, '');
  if (!BASE64.test(base64)) return { problem: CUT };
  const whole = `-----BEGIN ${label}-----\n${base64.match(LINE)?.join('\n')}\n-----END ${label}-----\n`;
  if (label === OPENSSH) {
    const problem = openSshProblem(Buffer.from(base64, 'base64'));
    if (problem === undefined) return { key: whole };
    return { problem: problem === 'passphrase' ? PASSPHRASE : problem === 'damaged' ? CUT : problem };
  }
  const key = parsed(whole);
  return key === undefined ? { problem: CUT } : usable(key, whole);
}

function parsed(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function usable(key: KeyObject, whole: string): PrivateKeyText {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      if (modulusLength >= SHORTEST_RSA) return { key: whole };
      return {
        problem: `is an RSA key of ${modulusLength} bits: OpenSSH accepts no RSA key below ${SHORTEST_RSA} bits`,
      };
    case 'ec':
      if (CURVES.includes(namedCurve)) return { key: whole };
      return { problem: `is a key of the curve ${namedCurve}, which SSH does not support` };
    // OpenSSH before 9.6 reads these keys only in its own format.
    case 'ed25519':
      return { key: openSshText(key) };
    default:
      return {
        problem: `is a key of the kind ${key.asymmetricKeyType}, which SSH does not use: create an ed25519 key`,
      };
  }
}
