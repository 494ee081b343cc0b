import type { Clock } from '../lib/clock.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { type Certificate, ParseError } from '../x509/index.ts';
import { AnswerCache } from './ocsp/answer-cache.ts';
import { decide, nobodyToAsk, type RevocationVerdict, settled } from './ocsp/decision.ts';
import type { Outcome } from './ocsp/outcome.ts';
import { keyOf, type Question, questionAbout } from './ocsp/question.ts';
import type { Means } from './ocsp/responder.ts';
import { askResponders, TIMING, type Timing } from './ocsp/responders.ts';
import type { OcspSettings } from './ocsp/settings.ts';

export type { RevocationVerdict } from './ocsp/decision.ts';
export { readResponderCertificates } from './ocsp/responder-certificates.ts';
export type { OcspSettings } from './ocsp/settings.ts';

export interface OcspClientOptions {
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Maximum number of cached responses (spec §2.4, `ocsp_cache_size`). */
  readonly cacheSize: number;
  readonly timing?: Timing;
}

/** Counters since the start of the process. */
export interface OcspStats {
  /** Number of checks that used a cached response, and of those that did not. */
  readonly hits: number;
  readonly misses: number;
  /** Number of requests sent, and of those without a verified response. */
  readonly requests: number;
  readonly failures: number;
  /** Number of responses in the cache now. */
  readonly cached: number;
}

/** Asks OCSP responders whether certificates are revoked. Each mount has one client. */
export interface OcspClient {
  /**
   * Returns whether a login with this certificate may continue. `issuer` is the next certificate of the chain; if it is
   * undefined, there is no responder. Takes at most 10 seconds. Never rejects because of a responder.
   */
  check(leaf: Certificate, issuer: Certificate | undefined, settings: OcspSettings): Promise<RevocationVerdict[]>;
  /** Resizes the cache at once. */
  resize(size: number): void;
  /** Clears the cache. */
  clear(): void;
  stats(): OcspStats;
}

/** Creates an OCSP client. docs/reference/ocsp.md explains every step. */
export function createOcspClient({ fetch, clock, cacheSize, timing = TIMING }: OcspClientOptions): OcspClient {
  const cache = new AnswerCache(cacheSize, clock);
  const asking = new Map<string, Promise<readonly Outcome[]>>();
  const counts = { hits: 0, misses: 0, requests: 0, failures: 0 };
  const means: Means = {
    fetch,
    clock,
    onRequest: () => void counts.requests++,
    onFailure: () => void counts.failures++,
  };

  /** Returns a cached response, or shares a request that is in progress for the same check. */
  async function outcomesOf(question: Question): Promise<readonly Outcome[]> {
    const key = keyOf(question);
    const known = cache.get(key);
    counts[known === undefined ? 'misses' : 'hits']++;
    return known ?? asking.get(key) ?? ask(key, question);
  }

  async function ask(key: string, question: Question): Promise<readonly Outcome[]> {
    const answer = askResponders(means, question, timing);
    asking.set(key, answer);
    try {
      const outcomes = await answer;
      cache.set(key, settled(question, outcomes));
      return outcomes;
    } finally {
      asking.delete(key);
    }
  }

  async function check(
    leaf: Certificate,
    issuer: Certificate | undefined,
    settings: OcspSettings,
  ): Promise<RevocationVerdict[]> {
    if (issuer === undefined) return [nobodyToAsk(settings, 'the issuer of the certificate is unknown')];
    try {
      const question = questionAbout(leaf, issuer, settings);
      if (question.servers.length === 0) return [nobodyToAsk(settings, NO_SERVERS)];
      return [decide(question, await outcomesOf(question))];
    } catch (error) {
      if (error instanceof ParseError) return [nobodyToAsk(settings, `unreadable responders: ${error.message}`)];
      throw error;
    }
  }

  return {
    check,
    resize: (size) => cache.resize(size),
    clear: () => cache.clear(),
    stats: () => ({ ...counts, cached: cache.size }),
  };
}

const NO_SERVERS = 'no responder: neither the certificate nor the role names one';
