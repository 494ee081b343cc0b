import {
  attributeName,
  attributeTypeOf,
  type Certificate,
  dottedFromOid,
  type Oid,
  oidOf,
  textsOfDer,
} from '../../../x509/index.ts';
import { otherTexts, otherTypeName, otherTypeOf } from './other-sans.ts';

/** A part of certificates that has values, such as `uri_san`, `subject:UID` or `extension:1.2.3`. */
export interface ValueSource {
  /** Canonical text. */
  readonly name: string;
  readonly kind: ValueKind;
  valuesOf(leaf: Certificate): readonly string[];
}

const PLAIN = {
  common_name: ({ commonName }) => (commonName === undefined ? [] : [commonName]),
  dns_san: (leaf) => leaf.dnsNames,
  email_san: (leaf) => leaf.emailAddresses,
  uri_san: (leaf) => leaf.uris,
  ip_san: (leaf) => leaf.ipAddresses,
} satisfies Readonly<Record<string, (leaf: Certificate) => readonly string[]>>;

interface TypedKind {
  typeOf(text: string): Oid | undefined;
  nameOf(type: Oid): string;
  valuesOf(leaf: Certificate, type: Oid): readonly string[];
}

/** Kinds with a name or an OID behind a colon. */
const TYPED = {
  subject: {
    typeOf: attributeTypeOf,
    nameOf: attributeName,
    valuesOf: ({ subject }, type) => subject.values(type),
  },
  other_san: { typeOf: otherTypeOf, nameOf: otherTypeName, valuesOf: otherTexts },
  /** One string, or a list of strings. */
  extension: {
    typeOf: oidOf,
    nameOf: dottedFromOid,
    valuesOf: ({ extensions }, type) => textsOfDer(extensions.get(type)?.value),
  },
} satisfies Readonly<Record<string, TypedKind>>;

export type ValueKind = keyof typeof PLAIN | keyof typeof TYPED;

/** The forms of a source, for messages. */
export const VALUE_SOURCES = `${Object.keys(PLAIN).join(', ')}, subject:NAME, other_san:UPN, other_san:OID, extension:OID`;

/**
 * Parses the beginning of a text as a source.
 * @returns the source and the text after its colon, which is undefined if the text ends with the source; undefined
 * for any other text
 */
export function parseValueSource(text: string): { source: ValueSource; rest: string | undefined } | undefined {
  const [kind = '', ...parts] = text.split(':');
  if (Object.hasOwn(PLAIN, kind)) {
    const plain = kind as keyof typeof PLAIN;
    return { source: { name: plain, kind: plain, valuesOf: PLAIN[plain] }, rest: joined(parts) };
  }
  if (!Object.hasOwn(TYPED, kind)) return undefined;
  const typed = kind as keyof typeof TYPED;
  const { typeOf, nameOf, valuesOf }: TypedKind = TYPED[typed];
  const type = typeOf(parts[0] ?? '');
  if (type === undefined) return undefined;
  const source = {
    name: `${typed}:${nameOf(type)}`,
    kind: typed,
    valuesOf: (leaf: Certificate) => valuesOf(leaf, type),
  };
  return { source, rest: joined(parts.slice(1)) };
}

const joined = (parts: readonly string[]): string | undefined => (parts.length === 0 ? undefined : parts.join(':'));
