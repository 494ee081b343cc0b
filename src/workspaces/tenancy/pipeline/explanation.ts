import { type Finding, holdsAll, type ParsedToken, parseToken } from '../../../jwt/index.ts';
import type { Actor } from '../permissions/actor.ts';
import { MOST_OF_TEAM, type PipelineIdentities } from './identities.ts';
import type { PipelineIdentity } from './store.ts';
import { notToken, type PipelineTokenEvaluator } from './token-evaluator.ts';

/** Verdicts of one identity about a token. */
export interface ExplainedIdentity {
  readonly identity: PipelineIdentity;
  readonly verdicts: readonly Finding[];
}

/** Explanation why a token would be exchanged or not. */
export interface PipelineExplanation {
  readonly teamId: string;
  /** Parsed token; undefined if the text is not a token. `verdicts` then give the reason. */
  readonly token: ParsedToken | undefined;
  readonly verdicts: readonly Finding[];
  readonly identities: readonly ExplainedIdentity[];
  readonly admitted: boolean;
}

/** Checks a pipeline's token against each identity of a team, without issuing a token. */
export class PipelineExplainer {
  readonly #identities: PipelineIdentities;
  readonly #evaluator: PipelineTokenEvaluator;

  constructor(identities: PipelineIdentities, evaluator: PipelineTokenEvaluator) {
    this.#identities = identities;
    this.#evaluator = evaluator;
  }

  /**
   * Checks a token.
   * @throws 404 unless the actor may manage the team's pipeline identities
   */
  async explain(actor: Actor, teamId: string, text: string): Promise<PipelineExplanation> {
    const { items } = await this.#identities.list(actor, teamId, { number: 1, size: MOST_OF_TEAM, offset: 0 });
    const token = parseToken(text);
    if (typeof token === 'string') {
      return { teamId, token: undefined, verdicts: [notToken(token)], identities: [], admitted: false };
    }
    const signatureOf = this.#evaluator.signatureOf(token);
    const identities: ExplainedIdentity[] = [];
    for (const identity of items) {
      const claims = this.#evaluator.evaluateClaims(token.claims, identity);
      // The keys of another issuer cannot verify this token.
      const isOfIssuer = claims.every(({ check, outcome }) => check !== 'issuer' || outcome === 'passed');
      identities.push({ identity, verdicts: isOfIssuer ? [...(await signatureOf(identity)), ...claims] : claims });
    }
    const admitted = identities.some(({ verdicts }) => holdsAll(verdicts));
    return { teamId, token, verdicts: [], identities, admitted };
  }
}
