import { REVOCATION_REASONS } from '../../../../src/x509/index.ts';
import type { ValueClass } from './comparison.ts';

/** Inputs from which another parser reads another value. */
export const VALUES: readonly ValueClass[] = [
  {
    what: 'A URI with a space',
    reason: 'Go escapes it as `%20`; Lockkeeper keeps the text',
    field: 'URIs',
    readers: ['Go'],
    isExpected: (ours, theirs) => String(theirs.URIs).replaceAll('%20', ' ') === String(ours.URIs),
  },
  {
    what: 'The path length of a certificate that is no CA',
    reason: 'A path length has no meaning there and is ignored',
    field: 'path length',
    readers: ['Go', 'OpenSSL'],
    isExpected: (ours) => ours.CA === false && ours['path length'] === null,
  },
  {
    what: 'A path length beyond 32 bits',
    reason: 'OpenSSL reads no path length, Lockkeeper a very large number. No path is that long',
    field: 'path length',
    readers: ['OpenSSL'],
    isExpected: (ours, theirs) => Number(ours['path length']) > 2 ** 32 && theirs['path length'] === null,
  },
  {
    what: 'An undefined reason of a CRL entry',
    reason: 'It counts as unspecified; the certificate is still revoked',
    kinds: ['crl'],
    field: 'reasons',
    readers: ['Go', 'OpenSSL'],
    isExpected: (ours, theirs) => String(ours.reasons) === String(numbers(theirs.reasons).map(knownReason)),
  },
  {
    what: 'An undefined reason in an OCSP response',
    reason: 'It counts as unspecified; the certificate is still revoked',
    kinds: ['ocsp'],
    field: 'answers',
    readers: ['Go', 'OpenSSL'],
    isExpected: (ours) => / revoked \d+ 255$/.test(String(ours.answers)),
  },
];

function numbers(list: unknown): number[] {
  return Array.isArray(list) ? list.map(Number) : [];
}

function knownReason(reason: number): number {
  return REVOCATION_REASONS[reason] === undefined ? 0 : reason;
}
