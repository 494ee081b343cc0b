import { hash } from 'node:crypto';
import {
  AnchorSet,
  Certificate,
  CrlParser,
  dottedFromOid,
  type GeneralName,
  ParseError,
  parseOcspResponse,
  validate,
} from '../../../src/x509/index.ts';
import type { Input, Kind } from './inputs.ts';
import { treeOf } from './mutations/tree.ts';
import type { Fields, Reading } from './reading.ts';

const READERS: Readonly<Record<Kind, (der: Buffer) => Fields>> = {
  certificate: readCertificate,
  crl: readCrl,
  ocsp: readOcsp,
  path: readPath,
};
/** Time of path validation, in milliseconds since 1970: within the validity of every template. */
const PATH_TIME = 1_764_000_000_000;

/** Parses with Lockkeeper's own parser, in this process. */
export function readWithOurs({ kind, der }: Input): Reading {
  try {
    return { fields: READERS[kind](der) };
  } catch (error) {
    if (error instanceof ParseError) return { error: error.message };
    throw error;
  }
}

function readCertificate(der: Buffer): Fields {
  const certificate = Certificate.parse(der);
  const { known, subject, issuer, publicKey } = certificate;
  return {
    serial: certificate.serialNumber.toString(16),
    'not before': certificate.notBefore / 1000,
    'not after': certificate.notAfter / 1000,
    'common name': certificate.commonName ?? '',
    organizations: certificate.organizations,
    units: certificate.organizationalUnits,
    subject: digest(subject.der),
    issuer: digest(issuer.der),
    key: digest(publicKey.der),
    'DNS names': certificate.dnsNames,
    'email addresses': certificate.emailAddresses,
    URIs: certificate.uris,
    'IP addresses': certificate.alternativeNames.flatMap((name) =>
      name.type === 'ip' ? [name.value.toString('hex')] : [],
    ),
    CA: certificate.isCa,
    'path length': known.basicConstraints?.pathLength ?? null,
    'key usage': known.keyUsage ?? 0,
    'extended key usage': [...(known.extendedKeyUsage ?? [])].map(dottedFromOid).sort(),
    permitted: constraints(known.nameConstraints?.permitted),
    excluded: constraints(known.nameConstraints?.excluded),
    extensions: [...certificate.extensions.values()]
      .map(({ oid, critical, value }) => `${dottedFromOid(oid)} ${critical} ${digest(value)}`)
      .sort(),
  };
}

function readCrl(der: Buffer): Fields {
  const entries: string[] = [];
  const reasons: number[] = [];
  const parser = new CrlParser(({ serial, revokedAt, reason }) => {
    entries.push(`${hexOf(serial)} ${revokedAt / 1000}`);
    reasons.push(reason);
  });
  parser.write(der);
  const info = parser.end();
  if (info.unusable !== undefined) throw new ParseError(`unusable: ${info.unusable}`);
  return {
    issuer: digest(info.issuer.der),
    number: info.number?.toString(16) ?? null,
    'this update': info.thisUpdate / 1000,
    'next update': seconds(info.nextUpdate),
    entries: entries.length,
    revoked: digest(Buffer.from(entries.join('\n'))),
    reasons,
    authority: info.authorityKeyId ?? '',
  };
}

function readOcsp(der: Buffer): Fields {
  const response = parseOcspResponse(der);
  if (response.status !== 'successful') return { status: STATUSES.indexOf(response.status) };
  const { responses } = response.basic;
  return {
    status: 0,
    answers: responses.map(({ certId, status }) => {
      const detail = status.type === 'revoked' ? ` ${status.at / 1000} ${status.reason ?? 0}` : '';
      return `${hexOf(certId.serialBytes)} ${status.type}${detail}`;
    }),
    'this update': responses.map(({ thisUpdate }) => thisUpdate / 1000),
    'next update': responses.map(({ nextUpdate }) => seconds(nextUpdate)),
  };
}

/** The errors are those of a login. */
function readPath(der: Buffer): Fields {
  const [client, ca] = (treeOf(der).children ?? []).map(({ content }) => readPart(content));
  if (client === undefined || ca === undefined) throw new Error('a path of less than two certificates');
  const { path, refusals } = validate(client, {
    anchors: AnchorSet.fromCertificates([ca]),
    intermediates: [],
    time: PATH_TIME,
  });
  if (path !== undefined) return {};
  throw new ParseError(refusals.map(({ check, actual }) => `${check}: ${actual}`).join('; '));
}

function readPart(der: Buffer): Certificate {
  try {
    return Certificate.parse(der);
  } catch (error) {
    throw new ParseError(`unread: ${(error as Error).message}`);
  }
}

const STATUSES = ['', 'malformedRequest', 'internalError', 'tryLater', '', 'sigRequired', 'unauthorized'];
/** In the order in which Go lists names by type. */
const FORMS = ['dns', 'email', 'uri', 'ip'] as const;

function constraints(names: readonly GeneralName[] = []): string[] {
  return FORMS.flatMap((form) =>
    names.flatMap((name) => {
      if (name.type !== form) return [];
      return [`${form}:${typeof name.value === 'string' ? name.value : (name.value as Buffer).toString('hex')}`];
    }),
  );
}

function seconds(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : milliseconds / 1000;
}

function hexOf(serial: Buffer): string {
  return BigInt.asIntN(serial.length * 8, BigInt(`0x${serial.toString('hex')}`)).toString(16);
}

/** The first eight bytes of SHA-256, in hex. */
function digest(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, 16);
}
