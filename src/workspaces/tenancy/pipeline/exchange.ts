import { type Finding, holdsAll, memberOf, type ParsedToken, parseToken } from '../../../jwt/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { timeOrderedId } from '../../../lib/ids.ts';
import { LINK_GRACE_MS } from '../../../lib/signed-links/index.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { IssuedToken, TokenIssuer } from '../token/issuer.ts';
import type { TtlPolicies } from '../token/ttl-policies.ts';
import type { Candidate } from './store.ts';
import * as store from './store.ts';
import { notToken, type PipelineTokenEvaluator } from './token-evaluator.ts';

/** Error text of every refused exchange, for any reason, so that it reveals nothing about identities. */
export const REFUSED = 'the subject token is not accepted for this audience';
/** @limit valid tokens of one pipeline identity, tokens -> 429 */
const MOST_TOKENS = 1000;
/** @limit subject of a pipeline token in a description or a log line, characters -> the text is cut */
const LONGEST_SUBJECT = 200;
const NOTED_EVERY_MS = 60_000;
/** Distance of an unsigned token: greater than any number of failed checks. */
const UNSIGNED = Number.POSITIVE_INFINITY;

/** Token exchange request of a pipeline. */
export interface ExchangeRequest {
  /** JWT of the pipeline's issuer (RFC 7519). */
  readonly token: string;
  /** Team: its id, or `organization/team`. */
  readonly audience: string;
}

/** Result for the log line. For a token with an unverified signature, it contains none of the token's claims. */
export interface Exchanged {
  readonly findings: readonly Finding[];
  /** Subject of the token; empty for a token with an unverified signature. */
  readonly subject: string;
  /** Identity that accepted the token, and the issued token; undefined if the exchange is refused. */
  readonly given: { readonly identity: Candidate; readonly issued: IssuedToken } | undefined;
}

export interface PipelineExchangeOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly issuer: TokenIssuer;
  readonly ttlPolicies: TtlPolicies;
  readonly evaluator: PipelineTokenEvaluator;
}

/** Exchanges a pipeline's JWT for a short-lived team token (RFC 8693). */
export class PipelineExchange {
  readonly #options: PipelineExchangeOptions;

  constructor(options: PipelineExchangeOptions) {
    this.#options = options;
  }

  /**
   * Exchanges a token.
   * @throws 429 if the identity has reached its limit of valid tokens
   */
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

  /** Returns the first identity that accepts the token, else the findings of the closest one. */
  async #decide(token: ParsedToken, candidates: readonly Candidate[]) {
    const { evaluator } = this.#options;
    let nearest: { readonly findings: readonly Finding[]; readonly lacks: number } = { findings: [], lacks: UNSIGNED };
    const signatureOf = evaluator.signatureOf(token);
    for (const identity of candidates) {
      const signature = await signatureOf(identity);
      const isSigned = holdsAll(signature);
      // Claims of a token are not evaluated unless its signature is valid.
      const findings = isSigned ? [...signature, ...evaluator.evaluateClaims(token.claims, identity)] : signature;
      const lacks = isSigned ? findings.filter(({ outcome }) => outcome === 'refused').length : UNSIGNED;
      if (lacks === 0) return { identity, findings, isSigned };
      if (lacks < nearest.lacks || nearest.findings.length === 0) nearest = { findings, lacks };
    }
    return { identity: undefined, findings: nearest.findings, isSigned: nearest.lacks < UNSIGNED };
  }

  /** Issues a token. Returns undefined if the identity was deleted or changed in the meantime. */
  async #issue(tx: Transaction, identity: Candidate, subject: string): Promise<IssuedToken | undefined> {
    const { clock, issuer, ttlPolicies } = this.#options;
    const now = clock();
    const { id, teamId } = identity;
    if (!(await store.claimPipelineIdentity(tx, identity, now, now - NOTED_EVERY_MS))) return undefined;
    if ((await store.tidyTokens(tx, id, now - LINK_GRACE_MS, now)) >= MOST_TOKENS) {
      const text = `the limit of ${MOST_TOKENS} valid tokens of this identity is reached; wait until some expire, or shorten their lifetime`;
      throw new AppError('too-many-requests', text, { title: 'slow_down' });
    }
    const limit = (await ttlPolicies.limitIn(tx, identity.organizationId, 'team')) ?? Number.POSITIVE_INFINITY;
    const expiresAt = now + Math.min(identity.tokenTtl * 1000, limit);
    // Descriptions are unique among the tokens of a team.
    const description = `${subject} ${timeOrderedId(now)}`;
    const issued = await issuer.issue(tx, { teamId }, { description, expiresAt });
    await store.markTokenIssued(tx, issued.token.id, id);
    return issued;
  }
}

/** Texts that no database can store are refused without a query. */
const isName = (text: unknown): text is string => typeof text === 'string' && !/\p{Cc}/u.test(text);

const refused = (findings: readonly Finding[], subject = ''): Exchanged => ({ findings, subject, given: undefined });

function subjectOf({ claims }: ParsedToken): string {
  const subject = memberOf(claims, 'sub');
  return typeof subject === 'string' ? subject.slice(0, LONGEST_SUBJECT) : '';
}
