import { REFUSAL_HINTS } from '../../method/index.ts';

const SWITCH = 'Or, for all roles of the mount, turn strict_dns_names off in the configuration.';
const STARS = 'Where strict_dns_patterns is on in the configuration, a * stays within its label.';

/** What to do about a refused check, in a sentence or two. */
const HINTS: Readonly<Record<string, string>> = {
  ...REFUSAL_HINTS,
  validity: 'Issue a new certificate, or correct the clock of the client, the authority or this server.',
  'critical-extensions':
    'Issue the certificate without this critical extension: it is not understood here, so it must be refused.',
  'basic-constraints': 'The issuer must be a certificate authority: basic constraints with cA true.',
  'path-length': 'There are more authorities below this one than its path length allows.',
  'key-usage': 'An authority needs keyCertSign; a certificate that is no authority must not have it.',
  'extended-key-usage':
    'Issue the certificate, and every authority above it that restricts purposes, for client authentication.',
  'signature-algorithm': 'Issue the certificate with SHA-256 or better.',
  signature: 'The issuer of this name did not sign it: another authority has the same name, or its key has changed.',
  'public-key': 'Use an RSA key of 2048 to 8192 bits, P-256, P-384, P-521, Ed25519 or Ed448.',
  'name-constraints': 'An authority of this path may not issue for these names.',
  'certificate-policies': 'An authority of this path requires a certificate policy that the certificate does not have.',
  'trust-anchor':
    'No authority of the role was reached: does the client send its intermediates, and does the role hold their root?',
  'work-limit': 'Too many certificates lead to too many paths: present only those of one chain.',
  dns_sans: `Issue the certificate with DNS SANs that are DNS names. ${SWITCH}`,
  common_name: `Issue the certificate with its common name as a DNS SAN too, or constrain other names. ${SWITCH}`,
  allowed_names: `Change the names of the certificate, or the patterns of the role. A common name counts when it is a DNS SAN too. ${STARS}`,
  allowed_common_names: `Change the common name of the certificate, or the patterns of the role. ${STARS}`,
  allowed_dns_sans: `Change the DNS names of the certificate, or the patterns of the role. ${STARS}`,
  allowed_email_sans: 'Change the e-mail addresses of the certificate, or the patterns of the role.',
  allowed_uri_sans: 'Change the URIs of the certificate, or the patterns of the role.',
  allowed_organizational_units: 'Change the organizational units of the certificate, or the patterns of the role.',
  required_extensions: 'Issue the certificate with this extension, or correct the condition of the role.',
  crl: 'The certificate was revoked, or a revocation list that is required is missing or too old: read the list at /crls.',
  ocsp: 'Look at the responder: is it reachable from here, does it know the certificate, and is its answer fresh and signed by the issuer?',
  token_bound_cidrs: 'Log in from an address that the role allows, or add the address to the role.',
};

export const hintFor = (check: string): string | undefined => HINTS[check];
