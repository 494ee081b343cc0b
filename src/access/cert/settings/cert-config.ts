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
import { ALIAS_SOURCES, aliasSourceOf } from './alias-source.ts';

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
  disable_binding: 'Whether tokens can be renewed without their client certificate.',
  enable_identity_alias_metadata: 'Whether to store the metadata of the last login with the alias.',
  ocsp_cache_size: 'Number of cached OCSP responses.',
  role_cache_size: 'Number of cached roles; -1: none.',
  alias_source: 'Part of the certificate that becomes the alias name, such as common_name or subject:UID.',
  strict_dns_names: 'Whether the names that roles constrain must be valid DNS names.',
  strict_dns_patterns: 'Whether a star in a pattern stays within its label.',
});

export const CertConfigView = component(
  'CertConfig',
  shownFields(CONFIG_FIELDS),
  'Configuration that applies to every role.',
);

/**
 * Configuration of a mount that applies to all its roles (spec §2.4). Lockkeeper's own fields: `alias_source`,
 * `strict_dns_names` (login rules 5 and 6 of §4) and `strict_dns_patterns` (a `*` stays within its label).
 */
export type CertConfig = Readonly<Values<typeof CONFIG_FIELDS>>;

export const INITIAL_CONFIG: CertConfig = initialValues(CONFIG_FIELDS);

const DEFAULT_ROLE_CACHE_SIZE = 200;
/** @limit the settings role_cache_size and ocsp_cache_size of a mount, entries -> 400 */
const MAX_CACHE_SIZE = 100_000;

/** Parses a stored configuration. Fields added since then get their initial value. */
export function storedConfig(json: string): CertConfig {
  return { ...INITIAL_CONFIG, ...(JSON.parse(json) as Partial<CertConfig>) };
}

/**
 * Merges the body of a write into the stored configuration.
 * @throws AppError bad-request
 */
export function mergeConfig(stored: CertConfig, body: Readonly<Record<string, unknown>>): CertConfig {
  const merged = { ...stored, ...parseFields(CONFIG_FIELDS, body).values };
  const { ocsp_cache_size: ocsp, role_cache_size: roles, alias_source } = merged;
  const source = aliasSourceOf(alias_source);
  if (source === undefined) throw new AppError('bad-request', `invalid alias_source, must be one of ${ALIAS_SOURCES}`);
  if (ocsp < 2 || ocsp > MAX_CACHE_SIZE) {
    throw new AppError('bad-request', `invalid ocsp cache size, must be >= 2 and <= ${MAX_CACHE_SIZE}`);
  }
  if (roles < -1 || roles > MAX_CACHE_SIZE) {
    const rule = `must be <= ${MAX_CACHE_SIZE} or -1 to disable role caching`;
    throw new AppError('bad-request', `invalid role cache size, ${rule}`);
  }
  return { ...merged, alias_source: source, role_cache_size: roles === 0 ? DEFAULT_ROLE_CACHE_SIZE : roles };
}
