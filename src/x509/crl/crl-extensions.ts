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
 * RFC 5280 §5.2.3 allows 20 bytes. No other reader refuses more.
 * @limit the number of a list, bytes -> the list is refused
 */
const MAX_NUMBER_BYTES = 256;

/** What the extensions of a list say (RFC 5280 §5.2). */
export interface CrlExtensions {
  readonly authorityKeyId: string | undefined;
  readonly number: bigint | undefined;
  readonly scope: CrlScope;
  readonly unusable: string | undefined;
}

/** Fails when one of the known extensions is malformed. */
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

/** Names the first critical extension that is not among those known. */
export function unknownCritical(extensions: ReadonlyMap<Oid, Extension>, known: ReadonlySet<Oid>): string | undefined {
  for (const { oid, critical } of extensions.values()) {
    if (critical && !known.has(oid)) return `unknown critical extension ${dottedFromOid(oid)}`;
  }
  return undefined;
}

function deltaFault(extensions: ReadonlyMap<Oid, Extension>): string | undefined {
  return extensions.has(CrlExtensionId.deltaIndicator) ? 'a delta list, which says only what has changed' : undefined;
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
 * RFC 5280 §5.2.5. The distribution point itself is not compared: a list that holds a part of what is revoked is as right
 * about that part as one that holds all of it.
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
    if (indirect) return 'an indirect list, which speaks of certificates of other issuers';
    if (onlySomeReasons) return 'a list of some reasons for revocation only';
    if (onlyAttributes) return 'a list of attribute certificates only';
    if (onlyEndEntities && onlyAuthorities) return 'a list that is limited to end entities and to authorities at once';
    return undefined;
  }
}

/** `[number] IMPLICIT BOOLEAN DEFAULT FALSE` */
function readFlag(reader: DerReader, number: number): boolean {
  if (!reader.skipOptional(primitiveTag(number))) return false;
  if (reader.length !== 1 || (reader.octet(0) !== 0 && reader.octet(0) !== 0xff)) {
    throw new ParseError('malformed BOOLEAN');
  }
  return reader.octet(0) === 0xff;
}
