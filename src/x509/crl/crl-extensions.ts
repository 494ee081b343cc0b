import type { Buffer } from 'node:buffer';
import { dottedFromOid, type Oid, oidFromDotted } from '../asn1/oid.ts';
import { constructedTag, DerReader, primitiveTag, Tag } from '../asn1/reader.ts';
import { readInteger, readNamedBits } from '../asn1/values.ts';
import type { Extension } from '../certificate/extensions.ts';
import { authorityKeyIdentifierIn, ExtensionId } from '../certificate/known-extensions.ts';
import { inField, ParseError } from '../parse-error.ts';
import type { CrlScope } from './crl.ts';

const CrlExtensionId = {
  number: oidFromDotted('2.5.29.20'),
  deltaIndicator: oidFromDotted('2.5.29.27'),
  issuingDistributionPoint: oidFromDotted('2.5.29.28'),
} as const;

const ENFORCED: ReadonlySet<Oid> = new Set([...Object.values(CrlExtensionId), ExtensionId.authorityKeyIdentifier]);
/**
 * RFC 5280 §5.2.3 allows 20 bytes, and other implementations accept more.
 * @limit size of the CRL number, bytes -> the CRL is refused
 */
const MAX_NUMBER_BYTES = 256;

/** Contents of a CRL's extensions (RFC 5280 §5.2). */
export interface CrlExtensions {
  readonly authorityKeyId: string | undefined;
  readonly number: bigint | undefined;
  readonly scope: CrlScope;
  readonly unusable: string | undefined;
}

/** Throws if one of the known extensions is malformed. */
export function decodeCrlExtensions(extensions: ReadonlyMap<Oid, Extension>): CrlExtensions {
  const number = extensions.get(CrlExtensionId.number);
  const point = extensions.get(CrlExtensionId.issuingDistributionPoint);
  const { scope, unusable } = point
    ? inField('issuing distribution point', () => readIssuingDistributionPoint(point.value))
    : WHOLE;
  return {
    authorityKeyId: authorityKeyIdentifierIn(extensions),
    number: number && inField('CRL number', () => readNumber(number.value)),
    scope,
    unusable: unusable ?? deltaFault(extensions) ?? unknownCritical(extensions, ENFORCED),
  };
}

/** Returns the first critical extension that is not known. */
export function unknownCritical(extensions: ReadonlyMap<Oid, Extension>, known: ReadonlySet<Oid>): string | undefined {
  for (const { oid, critical } of extensions.values()) {
    if (critical && !known.has(oid)) return `unknown critical extension ${dottedFromOid(oid)}`;
  }
  return undefined;
}

function deltaFault(extensions: ReadonlyMap<Oid, Extension>): string | undefined {
  return extensions.has(CrlExtensionId.deltaIndicator) ? 'a delta CRL, which contains only changes' : undefined;
}

function readNumber(value: Buffer): bigint {
  const reader = new DerReader(value);
  const bytes = readInteger(reader);
  reader.finish();
  if (bytes.length > MAX_NUMBER_BYTES) throw new ParseError(`a number of ${bytes.length} bytes`);
  if ((bytes[0] ?? 0) >= 0x80) throw new ParseError('a negative number');
  return BigInt(`0x${bytes.toString('hex')}`);
}

type Coverage = Pick<CrlExtensions, 'scope' | 'unusable'>;

const WHOLE: Coverage = { scope: 'all', unusable: undefined };

/**
 * Reads RFC 5280 §5.2.5. The distribution point itself is not compared: a CRL with a part of all revocations is correct
 * for that part.
 */
function readIssuingDistributionPoint(value: Buffer): Coverage {
  const reader = DerReader.inside(value, Tag.sequence);
  reader.skipOptional(constructedTag(0));
  const onlyEndEntities = readFlag(reader, 1);
  const onlyAuthorities = readFlag(reader, 2);
  const onlySomeReasons = reader.at(primitiveTag(3));
  if (onlySomeReasons) readNamedBits(reader, primitiveTag(3));
  const indirect = readFlag(reader, 4);
  const onlyAttributes = readFlag(reader, 5);
  reader.finish();
  const scope = onlyEndEntities ? 'end-entities' : onlyAuthorities ? 'authorities' : 'all';
  return { scope, unusable: coverageFault() };

  function coverageFault(): string | undefined {
    if (indirect) return 'an indirect CRL, which covers certificates of other issuers';
    if (onlySomeReasons) return 'a CRL that covers only some reasons for revocation';
    if (onlyAttributes) return 'a CRL that covers only attribute certificates';
    if (onlyEndEntities && onlyAuthorities) return 'a CRL that is limited to both end entities and CAs';
    return undefined;
  }
}

/** Reads a `[number] IMPLICIT BOOLEAN DEFAULT FALSE`. */
function readFlag(reader: DerReader, number: number): boolean {
  if (!reader.skipOptional(primitiveTag(number))) return false;
  if (reader.length !== 1 || (reader.octet(0) !== 0 && reader.octet(0) !== 0xff)) {
    throw new ParseError('malformed BOOLEAN');
  }
  return reader.octet(0) === 0xff;
}
