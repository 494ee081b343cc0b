import { isUtf8 } from 'node:buffer';
import { LongText } from '../../lib/long-json/long-text.ts';
import type { Target } from '../../lib/request.ts';
import { spellPart } from '../request/target.ts';
import { isTokenShaped } from '../request/token-shape.ts';

/** Hashes a value as `hmac-sha256:<hex>`, so that equal values can be recognised and nothing else. */
export type Hash = (value: string) => string;

/**
 * Allow list of members whose text is shown. All others are hashed, so that a new secret member cannot leak by
 * omission.
 */
const PLAIN = new Set(
  `accessor action actions alias_name alias_source allowed_common_names allowed_dns_sans allowed_email_sans
  allowed_ip_sans allowed_metadata_extensions allowed_names allowed_organizational_units allowed_organizations allowed_other_sans
  allowed_policies allowed_policies_glob allowed_subject_attributes allowed_uri_sans
  bound_cidrs capabilities cert_name common_name creation_path creation_time default_lease_ttl disallowed_policies
  disallowed_policies_glob display_name entity_id error expiration explicit_max_ttl expire_time extended_key_usage from
  group_sources identity_policies include increment issue_time kind last_renewal lease_duration list listing_visibility max_lease_ttl max_ttl method
  mount mount_accessor mount_type name node_type ocsp_fail_open operation page[after] page[number] page[size] path paths period policies
  policy_names renewable request_id required_extensions role role_name serial serial_number sort status subject to token_accessor
  token_bound_cidrs token_explicit_max_ttl token_max_ttl token_no_default_policy token_period token_policies token_strictly_bind_ip
  token_ttl token_type ttl type username visibility warnings wrapped_accessor wrap_ttl
  common-name engine-version execution-mode expired-at organization-access resource-count terraform-version
  working-directory`.split(/\s+/),
);
const RESOURCE_ID = /^[\w-]{1,90}$/;
/**
 * Maximum length of a plain text and of a member name.
 * @limit plain text in an audit entry, characters -> its hash is shown
 */
const MAX_PLAIN = 256;
/** @limit member name in an audit entry, characters -> its hash is shown */
const MAX_NAME = 64;
/** @limit nesting in an audit entry, levels -> deeper values are left out */
const MAX_DEPTH = 12;
/**
 * Maximum length of a list whose elements are shown.
 * @limit list in an audit entry, elements -> only its length is shown
 */
const MAX_LIST = 50;
/**
 * Maximum number of values in an entry. The rest of a larger request is left out.
 * @limit values of one audit entry, values -> the others are left out
 */
const MAX_VALUES = 200;
const OMITTED = '…';
/**
 * Maximum length of a path part.
 * @limit path part in an audit entry, characters -> its hash is shown
 */
const MAX_SEGMENT = 100;
/**
 * Maximum number of path parts.
 * @limit path parts in an audit entry, parts -> the others are left out
 */
const MAX_PARTS = 64;

interface Walk {
  readonly hash: Hash;
  readonly ids: boolean;
  left: number;
}

/**
 * Redacts a value for the audit log: hashes texts unless their name is on the allow list, keeps numbers and booleans,
 * and replaces long lists by their length.
 * @param ids whether `id` is the id of a resource, as in JSON:API, or may be a secret, as in a token's look-up
 */
export function redact(value: unknown, hash: Hash, ids: boolean): unknown {
  return redacted('', value, 0, { hash, ids, left: MAX_VALUES });
}

function redacted(name: string, value: unknown, depth: number, walk: Walk): unknown {
  if (typeof value === 'string') return value === '' || isPlain(name, value, walk.ids) ? value : hashed(value, walk);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return undefined;
  if (value instanceof Uint8Array) return { bytes: value.length, hash: hashed(textOf(value), walk) };
  if (value instanceof LongText) return { bytes: value.bytes, hash: hashed(value.sha256, walk) };
  if (value instanceof Date) return value.toJSON();
  if (isStream(value) || depth === MAX_DEPTH) return OMITTED;
  return Array.isArray(value) ? listed(name, value, depth, walk) : members(value, depth, walk);
}

function isStream(value: object): boolean {
  return 'pipe' in value && typeof value.pipe === 'function';
}

function hashed(value: string, walk: Walk): string {
  return walk.left-- > 0 ? walk.hash(value) : OMITTED;
}

function isPlain(name: string, value: string, ids: boolean): boolean {
  if (ids && name === 'id') return RESOURCE_ID.test(value);
  return PLAIN.has(name) && value.length <= MAX_PLAIN && !isTokenShaped(value);
}

function listed(name: string, values: readonly unknown[], depth: number, walk: Walk): unknown {
  if (values.length > MAX_LIST) return { count: values.length };
  return values.map((value) => redacted(name, value, depth + 1, walk));
}

function members(value: object, depth: number, walk: Walk): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (walk.left-- <= 0) return { ...shown, [OMITTED]: OMITTED };
    shown[name.length > MAX_NAME || isTokenShaped(name) ? walk.hash(name) : name] = redacted(
      name,
      member,
      depth + 1,
      walk,
    );
  }
  return shown;
}

/** Hashes bytes like their UTF-8 text, or else like their base64. */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(isUtf8(buffer) ? 'utf8' : 'base64');
}

/** Returns the resources of a JSON:API document. Undefined for other content. */
export function resourcesOf(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || !('data' in document)) return undefined;
  const { data } = document;
  if (!Array.isArray(data)) return identifierOf(data);
  return { count: data.length, data: data.slice(0, MAX_LIST).map(identifierOf) };
}

function identifierOf(resource: unknown): unknown {
  if (typeof resource !== 'object' || resource === null) return undefined;
  const { type, id } = resource as Record<string, unknown>;
  return { type, id: typeof id === 'string' && RESOURCE_ID.test(id) ? id : undefined };
}

/** Target of a request, and which of its parts may be shown. */
export interface ShownTarget {
  readonly target: Target;
  /** Whether each part of the path may be shown. Absent if unknown. */
  readonly shown: readonly boolean[];
}

/** Returns the path with possible secrets hashed: `/v1/auth/token/lookup/hmac-sha256:…`. */
export function shownPath({ target, shown }: ShownTarget, hash: Hash): string {
  const parts = target.parts.slice(0, MAX_PARTS).map((part, index) => {
    const isPlain = part === '' || (shown[index] === true && part.length <= MAX_SEGMENT && !isTokenShaped(part));
    return isPlain ? spellPart(part) : hash(part);
  });
  if (target.parts.length > MAX_PARTS) parts.push(OMITTED);
  return `/${parts.join('/')}`;
}
