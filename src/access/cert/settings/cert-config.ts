import { AppError } from '../../../lib/errors.ts';
import {
  described,
  type FieldSet,
  flag,
  initialValues,
  integer,
  parseFields,
  text,
  type Values,
} from '../../operation/fields.ts';
import { component, shownFields } from '../../operation/schema.ts';
import { ALIAS_SOURCES, type AliasSource, isAliasSource } from './alias-source.ts';

const FIELDS = {
  disable_binding: flag(),
  enable_identity_alias_metadata: flag(),
  ocsp_cache_size: integer(100),
  role_cache_size: integer(200),
  alias_source: text('common_name'),
  strict_dns_names: flag(true),
  strict_dns_patterns: flag(),
} satisfies FieldSet;

export const CONFIG_FIELDS = described(FIELDS, {
  disable_binding: 'Whether tokens are renewed without a look at the certificate that is presented then.',
  enable_identity_alias_metadata: 'Whether the metadata of the last login is kept with the alias.',
  ocsp_cache_size: 'Answers of OCSP responders that are kept.',
  role_cache_size: 'Roles that are kept ready; -1: none.',
  alias_source: 'What of the certificate names the alias.',
  strict_dns_names: 'Whether the names that roles constrain must be DNS names.',
  strict_dns_patterns: 'Whether a star in a pattern stays within its label.',
});

export const CertConfigView = component('CertConfig', shownFields(CONFIG_FIELDS), 'What holds for every role.');

/**
 * What holds for every role of a mount (spec §2.4; where the name of an alias comes from; whether names must be DNS names, as
 * login rules 5 and 6 of §4 say; whether a `*` in a pattern for DNS names stays within its label).
 */
export type CertConfig = Readonly<Values<typeof CONFIG_FIELDS>> & { readonly alias_source: AliasSource };

export const INITIAL_CONFIG: CertConfig = { ...initialValues(CONFIG_FIELDS), alias_source: 'common_name' };

const DEFAULT_ROLE_CACHE_SIZE = 200;
/** @limit the caches role_cache_size and ocsp_cache_size, entries -> 400 */
const MAX_CACHE_SIZE = 100_000;

/** A configuration as it is stored, with what has come since at its initial value. */
export function storedConfig(json: string): CertConfig {
  return { ...INITIAL_CONFIG, ...(JSON.parse(json) as Partial<CertConfig>) };
}

/**
 * A write merges: what the body does not name stays as it is.
 * @throws AppError bad-request
 */
export function mergeConfig(stored: CertConfig, body: Readonly<Record<string, unknown>>): CertConfig {
  const merged = { ...stored, ...parseFields(CONFIG_FIELDS, body).values };
  const { ocsp_cache_size: ocsp, role_cache_size: roles, alias_source: source } = merged;
  if (!isAliasSource(source)) {
    throw new AppError('bad-request', `invalid alias_source, must be one of ${ALIAS_SOURCES.join(', ')}`);
  }
  if (ocsp < 2 || ocsp > MAX_CACHE_SIZE) {
    throw new AppError('bad-request', `invalid ocsp cache size, must be >= 2 and <= ${MAX_CACHE_SIZE}`);
  }
  if (roles < -1 || roles > MAX_CACHE_SIZE) {
    const rule = `must be <= ${MAX_CACHE_SIZE} or -1 to disable role caching`;
    throw new AppError('bad-request', `invalid role cache size, ${rule}`);
  }
  return { ...merged, alias_source: source, role_cache_size: roles === 0 ? DEFAULT_ROLE_CACHE_SIZE : roles };
}
