import { type Finding, holdsAll, memberOf, type ParsedToken, parseToken } from '../../../jwt/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { timeOrderedId } from '../../../lib/ids.ts';
import { LINK_GRACE_MS } from '../../../lib/link-grace.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { IssuedToken, TokenIssuer } from '../token/issuer.ts';
import type { TtlPolicies } from '../token/ttl-policies.ts';
import type { Candidate } from './store.ts';
import * as store from './store.ts';
import { notToken, type PipelineTokenEvaluator } from './token-evaluator.ts';

/** The one text of every exchange that is refused, whatever the reason. */
export const REFUSED = 'the subject token is not accepted for this audience';
/** @limit tokens that were got by one pipeline identity and have not ended, tokens -> 429 */
const MOST_TOKENS = 1000;
/** @limit what a token of a pipeline says of its subject, in a description or a log line, characters -> it is cut */
const LONGEST_SUBJECT = 200;
const NOTED_EVERY_MS = 60_000;
/** Further away than any that lacks something. */
const UNSIGNED = Number.POSITIVE_INFINITY;

/** What a pipeline asks. */
export interface ExchangeRequest {
  /** Of its issuer (RFC 7519). */
  readonly token: string;
  /** The team: its id, or `organization/team`. */
  readonly audience: string;
}

/** What came of it, for the log line: findings of a token that nobody known has signed say nothing of what is in it. */
export interface Exchanged {
  readonly findings: readonly Finding[];
  /** Empty where the token is not to be believed. */
  readonly subject: string;
  /** Undefined: refused. */
  readonly given: { readonly identity: Candidate; readonly issued: IssuedToken } | undefined;
}

/** What the service works with. */
export interface PipelineExchangeOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
  readonly ttlPolicies: TtlPolicies;
  readonly judge: PipelineTokenEvaluator;
}

/** Gives pipelines a token of minutes for a team, for a token of their own issuer (RFC 8693). */
export class PipelineExchange {
  readonly #options: PipelineExchangeOptions;

  constructor(options: PipelineExchangeOptions) {
    this.#options = options;
  }

  /** @throws 429 where an identity has given as many tokens as it may */
  async exchange({ token: text, audience }: ExchangeRequest): Promise<Exchanged> {
    const token = parseToken(text);
    if (typeof token === 'string') return refused([notToken(token)]);
    const issuer = memberOf(token.claims, 'iss');
    const candidates = isName(issuer) && isName(audience) ? await this.#candidates(audience, issuer) : [];
    const { identity, findings, isSigned } = await this.#decide(token, candidates);
    const subject = isSigned ? subjectOf(token) : '';
    if (identity === undefined) return refused(findings, subject);
    const issued = await this.#options.database.transaction((tx) => this.#issue(tx, identity, subject));
    return issued === undefined ? refused([], subject) : { findings, subject, given: { identity, issued } };
  }

  async #candidates(audience: string, issuer: string): Promise<readonly Candidate[]> {
    const { database } = this.#options;
    const slash = audience.indexOf('/');
    const teamId =
      slash < 0 ? audience : await store.teamOf(database, audience.slice(0, slash), audience.slice(slash + 1));
    return teamId === undefined ? [] : store.candidateIdentities(database, teamId, issuer);
  }

  /** The first that lets it in; else what the nearest one finds. */
  async #decide(token: ParsedToken, candidates: readonly Candidate[]) {
    const { judge } = this.#options;
    let nearest: { readonly findings: readonly Finding[]; readonly lacks: number } = { findings: [], lacks: UNSIGNED };
    const signatureOf = judge.signatureOf(token);
    for (const identity of candidates) {
      const signature = await signatureOf(identity);
      const isSigned = holdsAll(signature);
      // What an unknown hand has written is not looked at.
      const findings = isSigned ? [...signature, ...judge.evaluateClaims(token.claims, identity)] : signature;
      const lacks = isSigned ? findings.filter(({ outcome }) => outcome === 'refused').length : UNSIGNED;
      if (lacks === 0) return { identity, findings, isSigned };
      if (lacks < nearest.lacks || nearest.findings.length === 0) nearest = { findings, lacks };
    }
    return { identity: undefined, findings: nearest.findings, isSigned: nearest.lacks < UNSIGNED };
  }

  /** Undefined where the identity has just been deleted, or says something else now. */
  async #issue(tx: Transaction, identity: Candidate, subject: string): Promise<IssuedToken | undefined> {
    const { clock, issuer, ttlPolicies } = this.#options;
    const now = clock();
    const { id, teamId } = identity;
    if (!(await store.claimPipelineIdentity(tx, identity, now, now - NOTED_EVERY_MS))) return undefined;
    if ((await store.tidyTokens(tx, id, now - LINK_GRACE_MS, now)) >= MOST_TOKENS) {
      const text = `there are ${MOST_TOKENS} tokens by this identity that have not ended; wait, or give them less time`;
      throw new AppError('too-many-requests', text, { title: 'slow_down' });
    }
    const limit = (await ttlPolicies.limitIn(tx, identity.organizationId, 'team')) ?? Number.POSITIVE_INFINITY;
    const expiresAt = now + Math.min(identity.tokenTtl * 1000, limit);
    // Each token of a team has another.
    const description = `${subject} ${timeOrderedId(now)}`;
    const issued = await issuer.issue(tx, { teamId }, { description, expiresAt });
    await store.markTokenIssued(tx, issued.token.id, id);
    return issued;
  }
}

/** No database is asked for what none can hold. */
const isName = (text: unknown): text is string => typeof text === 'string' && !/\p{Cc}/u.test(text);

const refused = (findings: readonly Finding[], subject = ''): Exchanged => ({ findings, subject, given: undefined });

function subjectOf({ claims }: ParsedToken): string {
  const subject = memberOf(claims, 'sub');
  return typeof subject === 'string' ? subject.slice(0, LONGEST_SUBJECT) : '';
}
