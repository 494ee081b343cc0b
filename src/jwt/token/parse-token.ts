import { type JsonObject, strictObject } from './strict-json.ts';

/** @limit a JWT for a login, characters -> the login is refused */
const MAX_JWT_LENGTH = 32_768;

/** A parsed token. Its signature is not verified. */
export interface ParsedToken {
  /** The token in compact form, without white space. */
  readonly text: string;
  readonly algorithm: string;
  readonly keyId: string | undefined;
  readonly claims: JsonObject;
}

/** Types of tokens that issuers sign with the same keys, but that do not authenticate the presenter. */
const OTHER_KINDS: ReadonlySet<string> = new Set(['logout+jwt', 'secevent+jwt', 'dpop+jwt']);

/**
 * Parses a token in compact form (RFC 7515 §7.1). Ignores keys that the header contains or refers to (`jwk`, `jku`,
 * `x5c`, `x5u`). Removes white space, which files and shells add; other JWT readers do so too.
 * @param isKind returns whether a type (`typ`, in lower case) is accepted
 * @returns the token, or why it is invalid, in words that contain nothing of it
 */
export function parseToken(presented: string, isKind = provesWho): ParsedToken | string {
  if (presented.length > MAX_JWT_LENGTH) return `more than ${MAX_JWT_LENGTH} characters`;
  const text = presented.replaceAll(/\s+/g, '');
  const parts = text.split('.');
  if (parts.length === 5) return 'an encrypted token';
  const [head, body, signature] = parts.map(decoded);
  if (parts.length !== 3 || !head || !body || !signature) return 'not three base64url parts';
  const header = strictObject(head);
  if (!header) return 'a header that is not a plain JSON object';
  const claims = strictObject(body);
  if (!claims) return 'claims that are not a plain JSON object';
  const { alg, kid, crit, typ, b64 } = header;
  if (typeof alg !== 'string' || alg === '') return 'a header without an algorithm';
  if (kid !== undefined && typeof kid !== 'string') return 'a key id that is not a string';
  if (crit !== undefined || b64 !== undefined) return 'a header with critical extensions';
  if (typ !== undefined && (typeof typ !== 'string' || !isKind(kindOf(typ)))) return 'a token of another type';
  return { text, algorithm: alg, keyId: kid, claims };
}

const provesWho = (kind: string): boolean => !OTHER_KINDS.has(kind);

const kindOf = (typ: string): string => typ.toLowerCase().replace(/^application\//, '');

/** Decodes canonical base64url. Returns undefined for anything else. */
function decoded(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}
