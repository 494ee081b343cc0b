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
  /** Answers that are kept (spec §2.4, `ocsp_cache_size`). */
  readonly cacheSize: number;
  readonly timing?: Timing;
}

/** Counted since the start. */
export interface OcspStats {
  /** Checks that were answered from the cache, and those that were not. */
  readonly hits: number;
  readonly misses: number;
  /** Requests sent, and those among them that brought no verified answer. */
  readonly requests: number;
  readonly failures: number;
  /** Answers kept now. */
  readonly cached: number;
}

/** Asks responders whether certificates are revoked. One for each mount. */
export interface OcspClient {
  /**
   * Whether a login with this certificate may go on. `issuer`: the certificate above it in its path; undefined when there is
   * none, and then nobody can be asked. Takes 10 seconds at most. Never rejects because of what a responder does.
   */
  check(leaf: Certificate, issuer: Certificate | undefined, settings: OcspSettings): Promise<RevocationVerdict[]>;
  /** Of the cache, at once. */
  resize(size: number): void;
  /** Forgets every answer. */
  clear(): void;
  stats(): OcspStats;
}

/** Every part of it is explained in docs/reference/ocsp.md. */
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

  /** From the cache, or together with whoever is asking the same at this moment. */
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
    if (issuer === undefined) return [nobodyToAsk(settings, 'the issuer of the certificate is not known')];
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

const NO_SERVERS = 'no responder: the certificate names none, and the role neither';
