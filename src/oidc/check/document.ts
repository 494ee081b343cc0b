import type { IssuerDocument } from '../../jwt/index.ts';
import { type Finding, failure, skipped, success, warning } from '../../lib/finding/finding.ts';
import type { ClaimPaths } from '../claims.ts';

/** @limit the issuer of a provider in a check's finding, characters -> the text is cut */
const LONGEST_SHOWN = 300;
/** The accepted signature algorithms (`provider.ts`), for a message. */
const SIGNATURES = 'RS256, PS256, ES256 or EdDSA';
const NEEDED = ['authorization_endpoint', 'token_endpoint'];
const IF_THERE = 'userinfo_endpoint';

/** Compares the issuer character by character (OpenID Connect Discovery §4.3). */
export function issuerFinding({ issuer: called }: IssuerDocument, issuer: string): Finding {
  if (called === issuer) return success('the discovery document names the configured issuer');
  if (typeof called !== 'string') return failure('the discovery document names no issuer', ANOTHER, issuer);
  const shown = called.replace(/\p{Cc}/gu, '').slice(0, LONGEST_SHOWN);
  const isClose = bare(called) === bare(issuer);
  return failure(
    isClose ? 'the discovery document spells the issuer differently' : 'the discovery document names another issuer',
    ANOTHER,
    shown,
  );
}

const ANOTHER = 'Set the issuer exactly as the provider spells it, if this is the provider you mean.';
const bare = (issuer: string) => issuer.toLowerCase().replace(/\/$/, '');

/** Checks the endpoints of a provider and its signature algorithms. */
export function endpointsFinding(document: IssuerDocument, signatures: ReadonlySet<string>): Finding {
  const missing = NEEDED.filter((name) => typeof document[name] !== 'string');
  if (missing.length > 0) {
    return failure(
      `the discovery document has no ${missing.join(' and no ')}`,
      'Check that this is an OpenID Connect provider.',
    );
  }
  const plain = [...NEEDED, IF_THERE].filter((name) => document[name] !== undefined && !isHttps(document[name]));
  if (plain.length > 0) {
    const advice = "Configure the provider's public https URL there. Behind a proxy it may not know this URL.";
    return failure(`${plain.join(' and ')} is not an https URL`, advice);
  }
  if (textsOf(document.response_types_supported)?.has('code') === false) {
    return failure(
      'the provider does not offer the authorization code flow',
      'Enable the authorization code flow (response type code) at the provider.',
    );
  }
  const signing = textsOf(document.id_token_signing_alg_values_supported);
  if (signing && ![...signatures].some((one) => signing.has(one))) {
    return failure(
      'the provider supports no accepted signature algorithm',
      `Configure the provider to sign ID tokens with ${SIGNATURES}.`,
    );
  }
  return success('all endpoints that a sign-in needs');
}

export function scopesFinding({ scopes_supported: known }: IssuerDocument, asked: readonly string[]): Finding {
  const unknown = notIn(known, asked);
  if (unknown === undefined) return skipped('the provider does not list its scopes');
  if (unknown.length === 0) return success(`the provider knows all ${asked.length}`);
  const advice =
    'Define the scope at the provider, or remove it from the configuration. Many providers refuse a sign-in ' +
    'with an unknown scope.';
  return warning(`the provider does not list ${unknown.length} of ${asked.length}`, advice, unknown.join(' '));
}

/** An unlisted claim is not a failure, because many providers return more claims than they list. */
export function claimsFinding({ claims_supported: known }: IssuerDocument, paths: ClaimPaths): Finding {
  const asked = Object.values(paths);
  const unknown = notIn(known, asked, (path) => path.split('.')[0] ?? path);
  if (unknown === undefined) return skipped('the provider does not list its claims');
  if (unknown.length === 0) return success(`the provider lists all ${asked.length}`);
  const advice = 'Sign in once to see whether the claim arrives. A provider may return more claims than it lists.';
  return { ...skipped('the provider does not list all claims that are read', unknown.join(' ')), advice };
}

/** Returns the missing entries. Undefined if the provider has no list. */
function notIn(list: unknown, asked: readonly string[], inShort = (one: string) => one): string[] | undefined {
  const known = textsOf(list);
  return known && asked.filter((one) => !known.has(one) && !known.has(inShort(one)));
}

const textsOf = (value: unknown): ReadonlySet<unknown> | undefined =>
  Array.isArray(value) ? new Set(value) : undefined;

const isHttps = (value: unknown) => typeof value === 'string' && URL.parse(value)?.protocol === 'https:';
