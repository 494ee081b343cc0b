import type { IssuerDocument } from '../../jwt/index.ts';
import { type Finding, failure, skipped, success, warning } from '../../lib/finding/finding.ts';
import type { ClaimPaths } from '../claims.ts';

/** @limit what a provider calls itself, as it is told to whoever checks it, characters -> it is cut */
const LONGEST_SHOWN = 300;
/** Of the signatures that are taken (`provider.ts`), in words. */
const SIGNATURES = 'RS256, PS256, ES256 or EdDSA';
const NEEDED = ['authorization_endpoint', 'token_endpoint'];
const IF_THERE = 'userinfo_endpoint';

/** OpenID Connect Discovery §4.3: letter by letter. */
export function issuerFinding({ issuer: called }: IssuerDocument, issuer: string): Finding {
  if (called === issuer) return success('it calls itself what it is called here');
  if (typeof called !== 'string') return failure('it does not say what it is called', ANOTHER, issuer);
  const shown = called.replace(/\p{Cc}/gu, '').slice(0, LONGEST_SHOWN);
  const isClose = bare(called) === bare(issuer);
  return failure(isClose ? 'it is spelled another way there' : 'it calls itself something else', ANOTHER, shown);
}

const ANOTHER = 'set the issuer letter by letter as the provider spells it, if that is the provider you mean';
const bare = (issuer: string) => issuer.toLowerCase().replace(/\/$/, '');

/** Where people and this server are sent, and how it signs. */
export function endpointsFinding(document: IssuerDocument, signatures: ReadonlySet<string>): Finding {
  const missing = NEEDED.filter((name) => typeof document[name] !== 'string');
  if (missing.length > 0) {
    return failure(`its document has no ${missing.join(' and no ')}`, 'see whether it is a provider of OpenID Connect');
  }
  const plain = [...NEEDED, IF_THERE].filter((name) => document[name] !== undefined && !isHttps(document[name]));
  if (plain.length > 0) {
    const advice = 'tell the provider by which https address it is reached: behind a proxy it may not know';
    return failure(`${plain.join(' and ')} is no https address`, advice);
  }
  if (textsOf(document.response_types_supported)?.has('code') === false) {
    return failure('it does not offer the authorization code flow', 'turn that flow on there (response type code)');
  }
  const signing = textsOf(document.id_token_signing_alg_values_supported);
  if (signing && ![...signatures].some((one) => signing.has(one))) {
    return failure('it signs in no way that is taken here', `have it sign ID tokens with ${SIGNATURES}`);
  }
  return success('all that a sign-in needs');
}

export function scopesFinding({ scopes_supported: known }: IssuerDocument, asked: readonly string[]): Finding {
  const unknown = notIn(known, asked);
  if (unknown === undefined) return skipped('it does not say which it knows');
  if (unknown.length === 0) return success(`it knows all ${asked.length}`);
  const advice = 'define it there, or ask for it no more: many providers refuse a sign-in that asks for an unknown one';
  return warning(`${unknown.length} of ${asked.length} is not among those that it knows`, advice, unknown.join(' '));
}

/** Many providers give more claims than they list, so what is missing is no fault. */
export function claimsFinding({ claims_supported: known }: IssuerDocument, paths: ClaimPaths): Finding {
  const asked = Object.values(paths);
  const unknown = notIn(known, asked, (path) => path.split('.')[0] ?? path);
  if (unknown === undefined) return skipped('it does not say which it gives');
  if (unknown.length === 0) return success(`it gives all ${asked.length}`);
  const advice = 'sign in once and see whether it comes: a provider may give more claims than it lists';
  return { ...skipped('it does not list all that are looked at', unknown.join(' ')), advice };
}

/** Undefined where no list is there. */
function notIn(list: unknown, asked: readonly string[], inShort = (one: string) => one): string[] | undefined {
  const known = textsOf(list);
  return known && asked.filter((one) => !known.has(one) && !known.has(inShort(one)));
}

const textsOf = (value: unknown): ReadonlySet<unknown> | undefined =>
  Array.isArray(value) ? new Set(value) : undefined;

const isHttps = (value: unknown) => typeof value === 'string' && URL.parse(value)?.protocol === 'https:';
