import type { Certificate } from '../../../x509/index.ts';
import { parseValueSource, VALUE_SOURCES } from './value-source.ts';

/** First sources of a certificate's alias name, in order. If one of them is configured, it is tried first. */
const FIRST_SOURCES = ['common_name', 'uri_san', 'dns_san', 'email_san', 'fingerprint'] as const;
type FirstSource = (typeof FIRST_SOURCES)[number];

/** The forms of an alias source, for messages. */
export const ALIAS_SOURCES = `${VALUE_SOURCES}, fingerprint`;

const isFirst = (text: string): text is FirstSource => (FIRST_SOURCES as readonly string[]).includes(text);

/** Returns an alias source in its canonical form. Undefined for any other text. */
export function aliasSourceOf(text: string): string | undefined {
  if (isFirst(text)) return text;
  const parsed = parseValueSource(text);
  return parsed?.rest === undefined ? parsed?.source.name : undefined;
}

const NAMES: Readonly<Record<FirstSource, (leaf: Certificate) => string | undefined>> = {
  common_name: ({ commonName }) => commonName,
  uri_san: ({ uris: [first] }) => first,
  dns_san: ({ dnsNames: [first] }) => first,
  email_san: ({ emailAddresses: [first] }) => first,
  fingerprint: ({ fingerprint }) => fingerprint,
};

/**
 * Returns the alias name of a certificate. Never empty, because every certificate has a fingerprint. A certificate
 * without an attribute or a name of another type gets its fingerprint: its common name could be the attribute of
 * another client.
 */
export function aliasName(leaf: Certificate, source: string): string {
  if (!isFirst(source)) return parseValueSource(source)?.source.valuesOf(leaf).find(Boolean) ?? leaf.fingerprint;
  for (const one of [source, ...FIRST_SOURCES]) {
    const name = NAMES[one](leaf);
    if (name) return name;
  }
  return leaf.fingerprint;
}
