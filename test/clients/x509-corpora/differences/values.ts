import { REVOCATION_REASONS } from '../../../../src/x509/index.ts';
import type { ValueClass } from './comparison.ts';

/** Inputs from which another reader reads another value. */
export const VALUES: readonly ValueClass[] = [
  {
    what: 'A URI with a space',
    reason: 'Go escapes it as `%20`; here a text stays as it is',
    field: 'URIs',
    readers: ['Go'],
    isExpected: (ours, theirs) => String(theirs.URIs).replaceAll('%20', ' ') === String(ours.URIs),
  },
  {
    what: 'The path length of a certificate that is no CA',
    reason: 'a path length has no meaning there, and counts as none',
    field: 'path length',
    readers: ['Go', 'OpenSSL'],
    isExpected: (ours) => ours.CA === false && ours['path length'] === null,
  },
  {
    what: 'A path length beyond 32 bits',
    reason: 'OpenSSL reads none, Lockkeeper a very large number. No path is as long',
    field: 'path length',
    readers: ['OpenSSL'],
    isExpected: (ours, theirs) => Number(ours['path length']) > 2 ** 32 && theirs['path length'] === null,
  },
  {
    what: 'A reason of a CRL entry that does not exist',
    reason: 'it counts as none: the certificate is revoked all the same',
    kinds: ['crl'],
    field: 'reasons',
    readers: ['Go', 'OpenSSL'],
    isExpected: (ours, theirs) => String(ours.reasons) === String(numbers(theirs.reasons).map(knownReason)),
  },
  {
    what: 'A reason of an OCSP answer that does not exist',
    reason: 'the certificate is revoked all the same',
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
