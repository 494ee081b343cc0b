import { REFUSAL_HINTS } from '../../method/index.ts';

const SWITCH = 'Or turn strict_dns_names off in the configuration, for all roles of the mount.';
const STARS = 'With strict_dns_patterns in the configuration, a * stays within its label.';

/** Advice for each refused check, in one or two sentences. */
const HINTS: Readonly<Record<string, string>> = {
  ...REFUSAL_HINTS,
  validity: 'Issue a new certificate, or correct the clock of the client, the CA or this server.',
  'critical-extensions':
    'Issue the certificate without this critical extension. Lockkeeper does not know it and must refuse it.',
  'basic-constraints': 'Check the issuer: it must be a CA certificate, with cA true in its basic constraints.',
  'path-length': 'Check the chain: it has more CA certificates below this one than its path length allows.',
  'key-usage': 'Check the key usage: a CA certificate needs keyCertSign, other certificates must not have it.',
  'extended-key-usage':
    'Issue the certificate for a purpose in extended_key_usage of the role, or add its purpose there. CA ' +
    'certificates with an extended key usage must allow it too.',
  'signature-algorithm': 'Issue the certificate with SHA-256 or better.',
  signature:
    'Check which CA issued the certificate: this one did not sign it. Another CA has the same name, or its key ' +
    'has changed.',
  'public-key': 'Use an RSA key of 2048 to 8192 bits, P-256, P-384, P-521, Ed25519 or Ed448.',
  'name-constraints': 'Check the names: a CA of this chain may not issue certificates for them.',
  'certificate-policies': 'Issue the certificate with the certificate policy that a CA of this chain requires.',
  'trust-anchor':
    "The certificate does not chain to this role's CA. Check that the client sends its intermediates and " +
    'that the role contains the right CA certificate.',
  'work-limit': 'Present only the certificates of one chain. These lead to too many paths.',
  dns_sans: `Issue the certificate with valid DNS names as DNS SANs. ${SWITCH}`,
  common_name: `Issue the certificate with its common name also as a DNS SAN, or constrain other names. ${SWITCH}`,
  allowed_names:
    'Change the names of the certificate, or the patterns of the role. A common name counts only if it is also ' +
    `a DNS SAN. ${STARS}`,
  allowed_common_names: `Change the common name of the certificate, or the patterns of the role. ${STARS}`,
  allowed_dns_sans: `Change the DNS names of the certificate, or the patterns of the role. ${STARS}`,
  allowed_email_sans: 'Change the email addresses of the certificate, or the patterns of the role.',
  allowed_uri_sans: 'Change the URIs of the certificate, or the patterns of the role.',
  allowed_organizational_units: 'Change the organizational units of the certificate, or the patterns of the role.',
  allowed_organizations: 'Change the organizations of the certificate, or the patterns of the role.',
  allowed_ip_sans: 'Change the IP SANs of the certificate, or the addresses of the role.',
  allowed_other_sans: 'Change the otherName SANs of the certificate, or the patterns of the role.',
  allowed_subject_attributes: 'Change the subject of the certificate, or the patterns of the role.',
  group_sources: 'Add a pattern to group_sources of the role, so that fewer names are groups.',
  required_extensions: 'Issue the certificate with this extension, or correct the constraint of the role.',
  crl: 'Check the CRLs of the mount (/crls): the certificate is revoked, or a required CRL is missing or too old.',
  ocsp:
    'Check the OCSP responder: this server must reach it, and it must return a fresh answer about the ' +
    'certificate, signed by the issuer.',
  token_bound_cidrs: 'Log in from an IP address that the role allows, or add the address to the role.',
};

export const hintFor = (check: string): string | undefined => HINTS[check];
