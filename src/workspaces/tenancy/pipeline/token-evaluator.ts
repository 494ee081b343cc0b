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
import type { BackgroundWork } from '../../../lib/background-work.ts';
import type { Clock } from '../../../lib/clock.ts';
import { lruCache } from '../../../lib/lru-cache.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import type { PipelineIdentity } from './store.ts';

/** @limit issuers of pipelines whose keys are in memory, issuers -> those of the one unused for longest are fetched again */
const MOST_ISSUERS = 500;
/** Standard clock skew. A token without an expiry is refused, because it would be valid for ever. */
const LEEWAYS = { clockSkew: 0 };

type KeysAt = Pick<PipelineIdentity, 'issuer' | 'jwksUrl'>;

/** Where keys of issuers come from. */
export interface IssuerSource {
  readonly fetch: GuardedFetch;
  /** PEM of authorities that vouch for their servers, beside those of the system. */
  readonly authorities: readonly string[];
  readonly clock: Clock;
}

/** Holds tokens of issuers against identities. Each process fetches keys for itself, and keeps them. */
export class PipelineTokenEvaluator implements BackgroundWork {
  readonly #source: IssuerSource;
  readonly #keys = lruCache<string, IssuerKeys>(MOST_ISSUERS, (keys) => keys.stop());

  constructor(source: IssuerSource) {
    this.#source = source;
  }

  /** Whose signature a token bears, by the keys of the issuer that an identity names: asked once for all that name the same. */
  signatureOf(token: ParsedToken): (identity: KeysAt) => Promise<readonly Finding[]> {
    const known = new Map<string, Promise<readonly Finding[]>>();
    return (identity) => {
      const name = nameOf(identity);
      const found = known.get(name) ?? verifySignature(token, [this.#keysOf(identity)], ALGORITHMS);
      known.set(name, found);
      return found;
    };
  }

  /** What else it says, whoever has signed it. */
  evaluateClaims(claims: JsonObject, { issuer, audiences, claims: bound }: PipelineIdentity): readonly Finding[] {
    const bounds = { issuer, subject: '', audiences, claims: bound, globs: true };
    return [...checkBoundClaims(claims, bounds), ...checkTimeClaims(claims, LEEWAYS, this.#source.clock())];
  }

  start(): void {}

  /** Gives up what is being fetched. */
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

export const notToken = (why: string): Finding => finding('token', false, 'a signed token in the compact form', why);
