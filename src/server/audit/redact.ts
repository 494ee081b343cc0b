import { isUtf8 } from 'node:buffer';
import { LongText } from '../../lib/long-text.ts';

/** `hmac-sha256:<hex>`: tells whether two records mean the same value, and nothing else of it. */
export type Hash = (value: string) => string;

/**
 * Members whose text is no secret and is shown as it is. Whatever is not here is hashed, so a new member with a secret in it
 * does not leak because somebody forgot it.
 */
const PLAIN = new Set(
  `accessor action actions alias_name alias_source allowed_common_names allowed_dns_sans allowed_email_sans
  allowed_metadata_extensions allowed_names allowed_organizational_units allowed_policies allowed_policies_glob allowed_uri_sans
  bound_cidrs capabilities cert_name common_name creation_path creation_time default_lease_ttl disallowed_policies
  disallowed_policies_glob display_name entity_id error expiration explicit_max_ttl expire_time from identity_policies include
  increment issue_time kind last_renewal lease_duration list listing_visibility max_lease_ttl max_ttl method
  mount mount_accessor mount_type name node_type ocsp_fail_open operation page[after] page[number] page[size] path paths period policies
  policy_names renewable request_id required_extensions role role_name serial serial_number sort status subject to token_accessor
  token_bound_cidrs token_explicit_max_ttl token_max_ttl token_no_default_policy token_period token_policies token_ttl
  token_type ttl type username visibility warnings wrapped_accessor wrap_ttl
  common-name engine-version execution-mode expired-at organization-access resource-count terraform-version
  working-directory`.split(/\s+/),
);
/** Shaped like a token of ours or of the servers that clients of the field come from, wherever it stands. */
const TOKEN = /^(lk[a-z]|hv[a-z]|[sbr])\./;
const RESOURCE_ID = /^[\w-]{1,90}$/;
/** Longest text that is shown as it is, and longest name of a member. */
const MAX_PLAIN = 256;
const MAX_NAME = 64;
const MAX_DEPTH = 12;
/** Longest list that is spelled out. */
const MAX_LIST = 50;
/** Values of one entry; a request that holds more is recorded as far as they go. */
const MAX_VALUES = 200;
const OMITTED = '…';
/** Longest part of a path that is shown. */
const MAX_SEGMENT = 100;
const MAX_PATH = 2_048;
/** After `auth/token/lookup/` comes a token, whatever it looks like. */
const TOKEN_OPERATIONS = new Set(['lookup', 'renew', 'revoke', 'revoke-orphan']);

interface Walk {
  readonly hash: Hash;
  readonly ids: boolean;
  left: number;
}

/**
 * A value as the audit record may show it: texts hashed unless their name is known to be harmless, numbers and truth values
 * plain, long lists counted.
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
  return PLAIN.has(name) && value.length <= MAX_PLAIN && !TOKEN.test(value);
}

function listed(name: string, values: readonly unknown[], depth: number, walk: Walk): unknown {
  if (values.length > MAX_LIST) return { count: values.length };
  return values.map((value) => redacted(name, value, depth + 1, walk));
}

function members(value: object, depth: number, walk: Walk): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (walk.left-- <= 0) return { ...shown, [OMITTED]: OMITTED };
    shown[name.length > MAX_NAME ? walk.hash(name) : name] = redacted(name, member, depth + 1, walk);
  }
  return shown;
}

/** Bytes that are a text hash like that text; others like their base64. */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(isUtf8(buffer) ? 'utf8' : 'base64');
}

/** Which resources a JSON:API document is about; undefined when it is none. */
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

/** A path with the tokens in it hashed: `/v1/auth/token/lookup/hmac-sha256:…`. */
export function redactPath(path: string, hash: Hash): string {
  const seen: string[] = [];
  const shown = path
    .slice(0, MAX_PATH)
    .split('/')
    .map((part) => {
      if (part === '') return part;
      const isSecret = part.length > MAX_SEGMENT || isToken(part) || isTokenNext(seen);
      seen.push(part);
      return isSecret ? hash(part) : part;
    });
  return shown.join('/');
}

function isToken(part: string): boolean {
  return TOKEN.test(part.replaceAll(/%2e/gi, '.'));
}

function isTokenNext(before: readonly string[]): boolean {
  return before.at(-2) === 'token' && TOKEN_OPERATIONS.has(before.at(-1) ?? '');
}
