import { isIP } from 'node:net';
import type { Certificate } from '../../src/x509/index.ts';

/** Name that a suite expects a certificate to carry; the cases use only DNS and IP names. */
export interface PeerName {
  readonly kind: string;
  readonly value: string;
}

/**
 * Returns whether a certificate carries a name (RFC 9525): alternative names only; `*` stands for the whole first
 * label of a DNS name with at least two more labels. The product matches no host names, but the suites expect the
 * check after path validation.
 */
export function carriesName(certificate: Certificate, name: PeerName): boolean {
  switch (name.kind) {
    case 'IP':
      return certificate.ipAddresses.includes(canonicalAddress(name.value));
    case 'DNS':
      return certificate.dnsNames.some((pattern) => matchesHost(pattern.toLowerCase(), name.value.toLowerCase()));
    case 'RFC822':
      return certificate.emailAddresses.includes(name.value);
    default:
      throw new Error(`unknown kind of name: ${name.kind}`);
  }
}

function matchesHost(pattern: string, host: string): boolean {
  if (isIP(host) !== 0 || !isPattern(pattern)) return false;
  if (!pattern.startsWith('*.')) return pattern === host;
  const rest = pattern.slice(2);
  return rest.includes('.') && host.slice(host.indexOf('.') + 1) === rest && !host.startsWith('.');
}

function isPattern(pattern: string): boolean {
  return pattern.split('.').every((label, i) => (i === 0 && label === '*') || /^[a-z0-9_-]+$/.test(label));
}

function canonicalAddress(text: string): string {
  return isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
}
