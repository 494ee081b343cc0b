import { describe, expect, it } from 'vitest';
import { createRoot } from '../../pki/index.ts';
import { certificateFinding } from './certificate.ts';

const DAY = 86_400_000;
const now = Date.now();
const root = createRoot();
const times = { notBefore: new Date(now - DAY), notAfter: new Date(now + 90 * DAY) };
const intermediate = root.issueAuthority(times);
const leaf = intermediate.issue({
  ...{ subject: 'server', dns: ['lockkeeper.example.com'], ips: ['192.0.2.1'] },
  ...times,
});
const other = root.issue({ subject: 'other', ...times });

const finding = (files: Partial<Parameters<typeof certificateFinding>[0]>, at = now) => {
  const { status, found } = certificateFinding(
    { certificate: leaf.pem + intermediate.pem, privateKey: leaf.keyPem, hosts: [], ...files },
    at,
  );
  return `${status}: ${found}`;
};

describe('the certificate of a listener', () => {
  it('is valid if its key, chain, names and expiry are', () => {
    expect(finding({ hosts: ['lockkeeper.example.com', '192.0.2.1'] })).toMatch(
      /^success: valid until .*, (89|90) d, a chain of 2$/,
    );
    expect(finding({ certificate: leaf.pem })).toMatch(/without intermediates$/);
  });

  it.each([
    ['another key', { privateKey: other.keyPem }, 'failure: the private key does not belong to the certificate'],
    ['no key', { privateKey: 'nothing' }, 'failure: the private key cannot be read'],
    ['an empty file', { certificate: '' }, 'failure: there is no certificate in the file'],
    [
      'unreadable content',
      { certificate: leaf.pem.replace(/\n[^-]{20}/, '\n') },
      'failure: a certificate in the file cannot be read',
    ],
    [
      'a chain of other certificates',
      { certificate: leaf.pem + other.pem },
      'failure: certificate 2 of the file has not signed the one before it',
    ],
    [
      'another address',
      { hosts: ['192.0.2.1', 'else.example.com'] },
      'warning: it does not cover all addresses that clients use',
    ],
    [
      'no host name',
      { certificate: other.pem, privateKey: other.keyPem },
      'failure: it names no host: clients reject it',
    ],
  ])('with %s', (_, files, expected) => {
    expect(finding(files)).toBe(expected);
  });

  it('is checked against the clock', () => {
    expect(finding({}, now + 91 * DAY)).toMatch(/^failure: expired on /);
    expect(finding({}, now - 2 * DAY)).toMatch(/^failure: not valid before /);
    expect(finding({}, now + 61 * DAY)).toMatch(/^warning: valid until .*, 2[89] d$/);
  });
});
