import type { Certificate } from '../../../x509/index.ts';

/** Sources of a certificate's alias name, in order. The configured source is tried first. */
export const ALIAS_SOURCES = ['common_name', 'uri_san', 'dns_san', 'email_san', 'fingerprint'] as const;
export type AliasSource = (typeof ALIAS_SOURCES)[number];

export const isAliasSource = (text: string): text is AliasSource => (ALIAS_SOURCES as readonly string[]).includes(text);

const NAMES: Readonly<Record<AliasSource, (leaf: Certificate) => string | undefined>> = {
  common_name: ({ commonName }) => commonName,
  uri_san: ({ uris: [first] }) => first,
  dns_san: ({ dnsNames: [first] }) => first,
  email_san: ({ emailAddresses: [first] }) => first,
  fingerprint: ({ fingerprint }) => fingerprint,
};

/** Returns the alias name of a certificate. Never empty, because every certificate has a fingerprint. */
export function aliasName(leaf: Certificate, source: AliasSource): string {
  for (const one of [source, ...ALIAS_SOURCES]) {
    const name = NAMES[one](leaf);
    if (name) return name;
  }
  return leaf.fingerprint;
}
