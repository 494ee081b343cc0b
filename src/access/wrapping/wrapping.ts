import { type Clock, isoTime } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Database, Keyring, SealedColumn } from '../../storage/index.ts';
import type { Token } from '../model/token.ts';
import type { TtlLimits } from '../model/ttl-limits.ts';
import type { WrapInfo } from '../operation/envelope.ts';
import type { Reply } from '../operation/operation.ts';
import type { IssuedToken, TokenRequest, TokenService } from '../tokens/index.ts';
import { type WrappedAnswer, WrappedAnswerStore } from './wrapped-answer-store.ts';

/**
 * The only policy of a wrapping token. The name is reserved: no policy can be stored under it or granted to another
 * token.
 */
const POLICY = 'response-wrapping';
/** Maximum number of responses that one statement removes. */
const SWEEP_STEP = 1000;
/** @limit one sweep of wrapped responses, steps -> the next sweep removes the rest */
const MAX_SWEEP_STEPS = 60;

export interface WrappingDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly tokens: Pick<TokenService, 'issue' | 'find' | 'revoke'>;
  readonly clock: Clock;
  /** Lifetime limits of all tokens; they apply to wrapping tokens too. */
  readonly limits: TtlLimits;
}

/** Properties of a wrapped response that can be read without using its token. */
export interface WrappingFacts {
  /** Lifetime of the wrapping token at its creation, seconds. */
  readonly creation_ttl: number;
  /** Creation time (RFC 3339). */
  readonly creation_time: string;
  readonly creation_path: string;
}

/** The stored parts of a response. The response to the unwrap request has an envelope of its own. */
type Kept = Omit<Reply, 'status'>;

/**
 * Stores encrypted responses under single-use tokens. Interception is visible: if another party has used the token, the
 * intended recipient cannot.
 */
export class Wrapping {
  readonly #store: WrappedAnswerStore;
  readonly #keyring: Keyring;
  readonly #tokens: WrappingDependencies['tokens'];
  readonly #clock: Clock;
  readonly #limits: TtlLimits;

  constructor({ database, keyring, tokens, clock, limits }: WrappingDependencies) {
    this.#store = new WrappedAnswerStore(database);
    this.#keyring = keyring;
    this.#tokens = tokens;
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Stores a response until its wrapping token is used or expires.
   * @param ttl lifetime of the token, in seconds
   */
  async wrap(reply: Reply, ttl: number, { path }: { readonly path: string }): Promise<WrapInfo> {
    const { status: _, ...kept } = reply;
    const issued = await this.#issue(ttl, path);
    await this.#store.insert(this.#sealed(kept, issued.token, path));
    return wrapInfo(issued, path, kept);
  }

  /**
   * Returns the live wrapping token with a given text.
   * @throws AppError bad-request
   */
  async holder(text: string): Promise<Token> {
    const token = await this.#tokens.find(text);
    if (token?.policies.length !== 1 || token.policies[0] !== POLICY) throw invalidToken();
    return token;
  }

  /**
   * Returns the response once, and revokes the token.
   * @throws AppError bad-request if the response was returned before
   */
  async unwrap(holder: Token): Promise<Reply> {
    const answer = found(await this.#store.take(holder.id));
    await this.#tokens.revoke(holder);
    return this.#opened(answer);
  }

  /** @throws AppError bad-request */
  async lookup(holder: Token): Promise<WrappingFacts> {
    const { creation_path } = found(await this.#store.find(holder.id));
    return { creation_ttl: holder.creationTtl, creation_time: isoTime(holder.createdAt), creation_path };
  }

  /**
   * Issues a new token with the same lifetime for the same response, and revokes the old one.
   * @throws AppError bad-request
   */
  async rewrap(holder: Token): Promise<WrapInfo> {
    const answer = found(await this.#store.find(holder.id));
    const path = answer.creation_path;
    const kept = this.#opened(answer);
    const issued = await this.#issue(holder.creationTtl, path);
    if (!(await this.#store.replace(holder.id, this.#sealed(kept, issued.token, path)))) {
      await this.#tokens.revoke(issued.token);
      throw invalidToken();
    }
    await this.#tokens.revoke(holder);
    return wrapInfo(issued, path, kept);
  }

  /** Removes expired responses. Returns their number. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (let step = 0; step < MAX_SWEEP_STEPS; step++) {
      const count = await this.#store.removeExpired(this.#clock(), SWEEP_STEP);
      removed += count;
      if (count < SWEEP_STEP) break;
    }
    return removed;
  }

  #issue(wanted: number, path: string): Promise<IssuedToken> {
    const ttl = Math.min(wanted, this.#limits.maxTtl);
    const request: TokenRequest = {
      type: 'service',
      path,
      displayName: POLICY,
      policies: [POLICY],
      metadata: null,
      boundCidrs: [],
      mountId: null,
      certificate: null,
      renewable: false,
      numUses: 1,
      terms: { ttl, maxTtl: 0, period: 0, explicitMaxTtl: ttl },
    };
    return this.#tokens.issue(request, this.#limits);
  }

  #sealed(kept: Kept, { id, expiresAt }: Token, path: string): WrappedAnswer {
    if (expiresAt === null) throw new Error('a wrapping token without an expiry');
    const answer = this.#keyring.encrypt(Buffer.from(JSON.stringify(kept)), contextOf(id));
    return { token_id: id, answer, creation_path: path, expires_at: expiresAt };
  }

  #opened({ answer, token_id }: WrappedAnswer): Kept {
    return JSON.parse(Buffer.from(this.#keyring.decrypt(answer, contextOf(token_id))).toString()) as Kept;
  }
}

const contextOf = (tokenId: string): string => `wrapped-answer/${tokenId}`;

const invalidToken = (): AppError => new AppError('bad-request', 'wrapping token is not valid or does not exist');

function found<T>(answer: T | undefined): T {
  if (answer === undefined) throw invalidToken();
  return answer;
}

function wrapInfo({ text, token, ttl }: IssuedToken, path: string, { auth }: Kept): WrapInfo {
  return {
    token: text,
    accessor: token.accessor,
    ttl,
    creation_time: isoTime(token.createdAt),
    creation_path: path,
    ...(auth?.accessor && { wrapped_accessor: auth.accessor }),
  };
}

export const sealedAnswers: SealedColumn = {
  table: 'wrapped_answer',
  key: ['token_id'],
  column: 'answer',
  boundTo: [],
  contextOf: contextOf,
};
