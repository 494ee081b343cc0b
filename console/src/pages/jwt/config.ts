import type { AccessSchemas } from '../../api/client.ts';
import { linesIn } from '../../components/role/fields.ts';
import * as texts from './texts.ts';

export type Config = AccessSchemas['JwtConfig'];
type Written = AccessSchemas['JwtConfigureRequest'];

/** Sources of the issuer's keys; exactly one is set. */
export const SOURCES = [
  ['discovery', texts.discoveryDocumentBelowThe],
  ['jwks', texts.oneOrSeveralJwksUrls],
  ['pem', texts.pemKeysInThisForm],
] as const;
export type Source = (typeof SOURCES)[number][0];

export interface Pair {
  readonly url: string;
  readonly authorities: string;
}

/** Values of the form. */
export interface Filled {
  readonly source: Source;
  readonly discoveryUrl: string;
  readonly discoveryAuthorities: string;
  readonly pairs: readonly Pair[];
  readonly keys: string;
  readonly issuer: string;
  readonly algorithms: string;
  readonly defaultRole: string;
  readonly skips: boolean;
}

/** Converts a configuration to form values; without one, returns defaults. */
export function filledOf(config: Config | undefined): Filled {
  const pairs = (config?.jwks_pairs ?? []).map((pair) => ({
    url: String(pair.jwks_url ?? ''),
    authorities: String(pair.jwks_ca_pem ?? ''),
  }));
  const one = { url: config?.jwks_url ?? '', authorities: config?.jwks_ca_pem ?? '' };
  const keys = config?.jwt_validation_pubkeys ?? [];
  return {
    source: one.url !== '' || pairs.length > 0 ? 'jwks' : keys.length > 0 ? 'pem' : 'discovery',
    discoveryUrl: config?.oidc_discovery_url ?? '',
    discoveryAuthorities: config?.oidc_discovery_ca_pem ?? '',
    pairs: pairs.length > 0 ? pairs : [one],
    keys: keys.map((pem) => pem.trim()).join('\n'),
    issuer: config?.bound_issuer ?? '',
    algorithms: (config?.jwt_supported_algs ?? []).join('\n'),
    defaultRole: config?.default_role ?? '',
    skips: false,
  };
}

const PEM = /-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g;

/** Converts form values to a request. A write replaces the whole configuration. */
export function written(filled: Filled): Written {
  const { source, discoveryUrl, discoveryAuthorities, pairs, keys, issuer, algorithms, defaultRole, skips } = filled;
  const sources: Readonly<Record<Source, () => Written>> = {
    discovery: () => ({ oidc_discovery_url: discoveryUrl.trim(), oidc_discovery_ca_pem: discoveryAuthorities }),
    jwks: () => {
      const all = pairs.map(({ url, authorities }) => ({ jwks_url: url.trim(), jwks_ca_pem: authorities }));
      return all.length === 1 ? { ...all[0] } : { jwks_pairs: all };
    },
    // Invalid PEM is sent as it is, so that the server reports the error.
    pem: () => ({ jwt_validation_pubkeys: keys.match(PEM) ?? linesIn(keys).slice(0, 1) }),
  };
  return {
    ...sources[source](),
    bound_issuer: issuer.trim(),
    jwt_supported_algs: linesIn(algorithms),
    default_role: defaultRole.trim(),
    ...(skips && { skip_jwks_validation: true }),
  };
}
