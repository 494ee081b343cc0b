import { describe, expect, test } from 'vitest';
import { runAtOnce } from '../../lib/slices.ts';
import { createRoot } from '../../pki/index.ts';
import { ParseError } from '../../x509/index.ts';
import { readResponderCertificates } from './responder-certificates.ts';

describe('certificates of responders', () => {
  const [one, two] = [createRoot({ subject: 'One' }), createRoot({ subject: 'Two' })];
  const names = (text: string) => runAtOnce(readResponderCertificates(text)).map(({ commonName }) => commonName);

  test('are PEM, PEM in base64, or DER in base64', () => {
    const pem = one.pem + two.pem;
    expect(names(pem)).toEqual(['One', 'Two']);
    expect(names(Buffer.from(pem).toString('base64'))).toEqual(['One', 'Two']);
    expect(names(one.der.toString('base64'))).toEqual(['One']);
    expect(names(' \n')).toEqual([]);
  });

  test.each([
    'not base64!',
    'AAAA',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    '-----BEGIN X-----',
  ])('are not %j', (text) => {
    expect(() => runAtOnce(readResponderCertificates(text))).toThrow(ParseError);
  });

  test('are read in steps, and only up to the limit', () => {
    expect([...readResponderCertificates(one.pem.repeat(100))]).toHaveLength(100);
    const tooMany = readResponderCertificates(`${one.pem.repeat(101)}-----BEGIN CERTIFICATE-----`);
    expect(() => runAtOnce(tooMany)).toThrow('more than 100 certificates');
  });
});
