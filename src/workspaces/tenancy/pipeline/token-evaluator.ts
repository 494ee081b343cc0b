import {
  ALGORITHMS,
  checkBoundClaims,
  checkTimeClaims,
  type Finding,
  finding,
  type IssuerKeys,
  type JsonObject,
  type ParsedToken,
  RemoteKeys,
  verifySignature,
} from '../../../jwt/index.ts';
import type { BackgroundWork } from '../../../lib/background/background-work.ts';
import type { Clock } from '../../../lib/clock.ts';
import { lruCache } from '../../../lib/lru-cache.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import type { PipelineIdentity } from './store.ts';

/**
 * @limit issuers of pipelines with keys in the cache, issuers -> keys of the least recently used issuer are fetched
 * again
 */
const MOST_ISSUERS = 500;
/** Standard clock skew. A token without an expiry is refused, because it would be valid for ever. */
const LEEWAYS = { clockSkew: 0 };

type KeysAt = Pick<PipelineIdentity, 'issuer' | 'jwksUrl'>;

/** How the keys of issuers are fetched. */
export interface IssuerSource {
  readonly fetch: GuardedFetch;
  /** CA certificates (PEM) that verify the issuers' servers, in addition to those of the system. */
  readonly authorities: readonly string[];
  readonly clock: Clock;
}

/** Checks tokens against pipeline identities. Each process fetches and caches the issuers' keys. */
export class PipelineTokenEvaluator implements BackgroundWork {
  readonly tasks = [];
  readonly #source: IssuerSource;
  readonly #keys = lruCache<string, IssuerKeys>(MOST_ISSUERS, (keys) => keys.stop());

  constructor(source: IssuerSource) {
    this.#source = source;
  }

  /**
   * Returns a check of the token's signature with the keys of the issuer that an identity names. Identities with the
   * same issuer and keys share one check.
   */
  signatureOf(token: ParsedToken): (identity: KeysAt) => Promise<readonly Finding[]> {
    const known = new Map<string, Promise<readonly Finding[]>>();
    return (identity) => {
      const name = nameOf(identity);
      const found = known.get(name) ?? verifySignature(token, [this.#keysOf(identity)], ALGORITHMS);
      known.set(name, found);
      return found;
    };
  }

  /** Checks the claims of a token, regardless of its signature. */
  evaluateClaims(claims: JsonObject, { issuer, audiences, claims: bound }: PipelineIdentity): readonly Finding[] {
    const bounds = { issuer, subject: '', audiences, claims: bound, globs: true };
    return [...checkBoundClaims(claims, bounds), ...checkTimeClaims(claims, LEEWAYS, this.#source.clock())];
  }

  start(): void {}

  /** Cancels running fetches. */
  stop(): void {
    this.#keys.clear();
  }

  #keysOf({ issuer, jwksUrl }: KeysAt): IssuerKeys {
    const { fetch, authorities, clock } = this.#source;
    const name = nameOf({ issuer, jwksUrl });
    const known = this.#keys.get(name);
    if (known) return known;
    const place =
      jwksUrl === '' ? ({ type: 'discovery', url: issuer } as const) : ({ type: 'jwks', url: jwksUrl } as const);
    const keys = new RemoteKeys(fetch, { ...place, authorities: authorities.join('\n') }, clock);
    this.#keys.set(name, keys);
    return keys;
  }
}

const nameOf = ({ issuer, jwksUrl }: KeysAt): string => JSON.stringify([issuer, jwksUrl]);

export const notToken = (why: string): Finding => finding('token', false, 'a signed JWT in compact form', why);
