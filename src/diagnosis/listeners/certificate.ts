import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type Finding, failure, success, warning } from '../../lib/finding/finding.ts';

const DAY = 86_400_000;
/** Days before its expiry on which a certificate should be renewed. */
const SOON_DAYS = 30;

/** The PEM files of a listener, and the host names that clients use for it. */
export interface ListenerFiles {
  readonly certificate: string;
  readonly privateKey: string;
  /** Host names and IP addresses that clients use; empty if they are unknown. */
  readonly hosts: readonly string[];
}

/** Returns the worst fault of a listener's certificate, or a success. */
export function certificateFinding({ certificate, privateKey, hosts }: ListenerFiles, now: number): Finding {
  const chain = chainIn(certificate);
  if (!Array.isArray(chain)) return chain;
  const [leaf] = chain;
  if (leaf === undefined)
    return failure(
      'there is no certificate in the file',
      'write the certificate to the file, followed by its intermediates',
    );
  return (
    keyFault(leaf, privateKey) ??
    timeFault(chain, now) ??
    chainFault(chain) ??
    hostFault(leaf, hosts) ??
    soonFault(chain, now) ??
    success(`${untilText(chain, now)}, ${chain.length === 1 ? 'without intermediates' : `a chain of ${chain.length}`}`)
  );
}

/** Parses the certificate and its intermediates. */
function chainIn(pem: string): X509Certificate[] | Finding {
  try {
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return failure('a certificate in the file cannot be read', 'write it as PEM, the certificate first');
  }
}

function keyFault(leaf: X509Certificate, pem: string): Finding | undefined {
  try {
    if (leaf.checkPrivateKey(createPrivateKey(pem))) return undefined;
  } catch {
    return failure('the private key cannot be read', 'write it as PEM, without a passphrase');
  }
  return failure(
    'the private key does not belong to the certificate',
    'configure the key and the certificate that were created together',
  );
}

function timeFault(chain: readonly X509Certificate[], now: number): Finding | undefined {
  const early = chain.find(({ validFromDate }) => validFromDate.getTime() > now);
  if (early) {
    const from = early.validFromDate.toISOString();
    return failure(`not valid before ${from}`, 'check that the clock of this machine is right', nameOf(early));
  }
  const over = chain.find(({ validToDate }) => validToDate.getTime() < now);
  return over && failure(`expired on ${dayOf(over)}`, 'renew it, then send SIGHUP to the server', nameOf(over));
}

/** Checks that each certificate signed the one before it. */
function chainFault(chain: readonly X509Certificate[]): Finding | undefined {
  const broken = chain.findIndex((one, index) => index > 0 && !signed(one, chain[index - 1]));
  if (broken < 0) return undefined;
  return failure(
    `certificate ${broken + 1} of the file has not signed the one before it`,
    'put the certificate first, and each intermediate after the certificate that it signed',
    chain[broken] && nameOf(chain[broken]),
  );
}

const signed = (issuer: X509Certificate, one: X509Certificate | undefined): boolean =>
  one?.checkIssued(issuer) === true && one.verify(issuer.publicKey);

/** Clients check only the subject alternative names (RFC 9525). */
function hostFault(leaf: X509Certificate, hosts: readonly string[]): Finding | undefined {
  const names = leaf.subjectAltName;
  if (names === undefined) return failure('it names no host: clients reject it', 'reissue it with a subjectAltName');
  // A client that uses a host name does not check the IP address.
  const asked = hosts.filter((host) => !isIP(host) || !names.includes('DNS:'));
  const missing = asked.filter((host) => !isFor(leaf, host));
  if (missing.length === 0) return undefined;
  return warning(
    'it does not cover all addresses that clients use',
    `reissue it for ${missing.join(', ')} too, unless a proxy in front has its own certificate`,
    `it covers ${names}`,
  );
}

function isFor(leaf: X509Certificate, host: string): boolean {
  return (isIP(host) ? leaf.checkIP(host) : leaf.checkHost(host, { subject: 'never' })) !== undefined;
}

function soonFault(chain: readonly X509Certificate[], now: number): Finding | undefined {
  const soon = chain.find((one) => one.validToDate.getTime() - now < SOON_DAYS * DAY);
  return soon && warning(untilText([soon], now), 'renew it, then send SIGHUP to the server', nameOf(soon));
}

function untilText(chain: readonly X509Certificate[], now: number): string {
  const first = chain.reduce((a, b) => (b.validToDate < a.validToDate ? b : a));
  return `valid until ${dayOf(first)}, ${Math.floor((first.validToDate.getTime() - now) / DAY)} d`;
}

const dayOf = ({ validToDate }: X509Certificate) => validToDate.toISOString().slice(0, 10);
const nameOf = ({ subject, serialNumber }: X509Certificate) =>
  `${(subject || 'no subject').replaceAll('\n', ', ')}, serial ${serialNumber}`;
