import { describe, expect, test } from 'vitest';
import { accessDescriptions, OCSP_OID, ocspAccess } from '../../../test/support/ocsp.ts';
import * as der from '../../pki/der.ts';
import { createRoot, type ExtensionInput } from '../../pki/index.ts';
import { Certificate } from '../certificate/certificate.ts';
import { ParseError } from '../parse-error.ts';
import { ocspRequest } from './request.ts';
import { ocspUrls } from './responder-urls.ts';

const root = createRoot();
const authority = Certificate.parse(root.der);
const issue = (...extensions: readonly ExtensionInput[]) => Certificate.parse(root.issue({ extensions }).der);

describe('a request', () => {
  const id = (serial: bigint) => ocspRequest(Certificate.parse(root.issue({ serial }).der), authority);

  test('has the same bytes for the same question', () => {
    expect(id(7n)).toEqual(id(7n));
    expect(id(7n)).not.toEqual(id(8n));
  });

  test('with a nonce has it as an extension', () => {
    const nonce = Buffer.alloc(32, 7);
    const request = ocspRequest(issue(), authority, nonce);
    const extension = der.sequence(der.oid(OCSP_OID.nonce), der.octetString(der.octetString(nonce)));
    expect(request.subarray(-extension.length)).toEqual(extension);
  });

  test('can be about a serial number of any size', () => {
    expect(id(2n ** 4000n).length).toBeGreaterThan(500);
    expect(id(2n ** 30_000n).length).toBeGreaterThan(3750);
  });
});

describe('the responders of a certificate', () => {
  test('are the http and https URLs of the right kind, in order, without duplicates', () => {
    const access = accessDescriptions(
      [OCSP_OID.caIssuers, 'http://ca.example.com/ca.crt'],
      [OCSP_OID.ocsp, 'http://b.example.com'],
      [OCSP_OID.ocsp, 'ldap://c.example.com'],
      [OCSP_OID.ocsp, 'HTTPS://a.example.com/ocsp'],
      [OCSP_OID.ocsp, 'http://b.example.com'],
      [OCSP_OID.ocsp, 'file:///etc/passwd'],
    );
    expect(ocspUrls(issue(access))).toEqual(['http://b.example.com', 'HTTPS://a.example.com/ocsp']);
  });

  test('are none without the extension, and none if it contains no URL', () => {
    const oid = OCSP_OID.authorityInformationAccess;
    const named = der.sequence(der.oid(OCSP_OID.ocsp), der.primitive(2, Buffer.from('ocsp.example.com')));
    expect(ocspUrls(issue())).toEqual([]);
    expect(ocspUrls(issue({ oid, value: der.sequence(named) }))).toEqual([]);
    expect(ocspUrls(issue({ oid, value: der.sequence() }))).toEqual([]);
  });

  test.each([
    ['more than 16 entries', ocspAccess(...Array.from({ length: 17 }, (_, i) => `http://${i}.example.com`))],
    ['a value that is not a list', { oid: OCSP_OID.authorityInformationAccess, value: der.nullValue() }],
    ['a line break in a URL', ocspAccess('http://a.example.com/\r\nx')],
  ])('cannot be read from %s', (_, extension) => {
    expect(() => ocspUrls(issue(extension))).toThrow(ParseError);
    expect(() => ocspUrls(issue(extension))).toThrow(/^authority information access: /);
  });
});
