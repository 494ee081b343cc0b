import { type JsonObject, strictObject } from './strict-json.ts';

/** @limit a JWT that somebody logs in with, characters -> it is refused */
const MAX_JWT_LENGTH = 32_768;

/** What a token says, whether it is signed by anybody or not. */
export interface ParsedToken {
  /** In the compact form. */
  readonly text: string;
  readonly algorithm: string;
  readonly keyId: string | undefined;
  readonly claims: JsonObject;
}

/** Of kinds of tokens that issuers sign with the same keys, and that prove nothing about who presents them. */
const OTHER_KINDS: ReadonlySet<string> = new Set(['logout+jwt', 'secevent+jwt', 'dpop+jwt']);

/**
 * Reads a token in the compact form (RFC 7515 §7.1). Keys that its header brings along or points to (`jwk`, `jku`, `x5c`, `x5u`)
 * mean nothing. White space, which a file or a shell adds, is no part of it: other readers of tokens skip it, too.
 * @param isKind whether a token is of the kind that is wanted, which its header may name in small letters (`typ`)
 * @returns why it is none, in words that hold nothing of it
 */
export function parseToken(presented: string, isKind = provesWho): ParsedToken | string {
  if (presented.length > MAX_JWT_LENGTH) return `more than ${MAX_JWT_LENGTH} characters`;
  const text = presented.replaceAll(/\s+/g, '');
  const parts = text.split('.');
  if (parts.length === 5) return 'an encrypted token';
  const [head, body, signature] = parts.map(decoded);
  if (parts.length !== 3 || !head || !body || !signature) return 'not three parts in base64url';
  const header = strictObject(head);
  if (!header) return 'a header that is no plain JSON object';
  const claims = strictObject(body);
  if (!claims) return 'claims that are no plain JSON object';
  const { alg, kid, crit, typ, b64 } = header;
  if (typeof alg !== 'string' || alg === '') return 'a header without an algorithm';
  if (kid !== undefined && typeof kid !== 'string') return 'a key id that is no text';
  if (crit !== undefined || b64 !== undefined) return 'a header with critical extensions';
  if (typ !== undefined && (typeof typ !== 'string' || !isKind(kindOf(typ)))) return 'a token of another kind';
  return { text, algorithm: alg, keyId: kid, claims };
}

const provesWho = (kind: string): boolean => !OTHER_KINDS.has(kind);

const kindOf = (typ: string): string => typ.toLowerCase().replace(/^application\//, '');

/** Undefined for what is no base64url, or not in its one spelling. */
function decoded(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}
