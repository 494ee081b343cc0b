import { withinBlocks } from '../../lib/cidr.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Database, Keyring } from '../../storage/index.ts';
import { isBatchText, openBatchToken, sealBatchToken } from './batch-token.ts';
import { isRenewable, isRoot, newAccessor, newTokenText, publicId, type Token } from './token.ts';
import { TokenStore } from './token-store.ts';
import { lifetime, type TtlLimits, type TtlTerms } from './ttl.ts';

/** The keyring's purpose for the hashes of these tokens. */
const PURPOSE = 'access-token';
const ROOT_PATH = 'auth/token/root';
const SWEEP_STEP = 1000;
/** Longer than any token we make; a longer text is refused before it is looked at. */
const MAX_TOKEN_TEXT = 8192;

/** What a token is to hold; the rest follows from the time and the limits of its mount. */
export type TokenRequest = Pick<
  Token,
  'type' | 'path' | 'displayName' | 'policies' | 'metadata' | 'boundCidrs' | 'mountId' | 'certificate'
> & {
  readonly terms: TtlTerms;
  /** 0: no limit. */
  readonly numUses: number;
};

export interface IssuedToken {
  /** Shown once; nobody can show it again. */
  readonly text: string;
  readonly token: Token;
  /** Seconds. */
  readonly ttl: number;
  readonly warnings: readonly string[];
}

export interface RenewedToken {
  readonly token: Token;
  readonly ttl: number;
  readonly warnings: readonly string[];
}

/** Issues, finds, renews and revokes the tokens of the access API. */
export class TokenService {
  readonly #store: TokenStore;
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(database: Database, keyring: Keyring, clock: Clock) {
    this.#store = new TokenStore(database);
    this.#keyring = keyring;
    this.#clock = clock;
  }

  async issue(request: TokenRequest, limits: TtlLimits): Promise<IssuedToken> {
    const now = this.#clock();
    const { ttl, warnings } = lifetime(request.terms, limits, 0);
    const { terms, numUses, ...fields } = request;
    const text = newTokenText(now);
    const token: Token = {
      ...fields,
      id: this.#idOf(text),
      accessor: request.type === 'batch' ? '' : newAccessor(),
      usesLeft: numUses || null,
      orphan: true,
      period: terms.period,
      explicitMaxTtl: terms.explicitMaxTtl,
      creationTtl: ttl,
      createdAt: now,
      renewedAt: null,
      expiresAt: now + ttl * 1000,
    };
    if (token.type === 'batch') return { text: sealBatchToken(this.#keyring, token), token, ttl, warnings };
    await this.#store.insert({ token, secretHash: this.#hash(text) });
    return { text, token, ttl, warnings };
  }

  /** A token that may do everything and never expires; undefined when one was made before. */
  async createFirstRoot(): Promise<string | undefined> {
    return (await this.#store.hasPath(ROOT_PATH)) ? undefined : this.createRoot();
  }

  async createRoot(): Promise<string> {
    const text = newTokenText(this.#clock());
    await this.#storeRoot(text);
    return text;
  }

  /** A root token whose text the operator chose. One that is there already stays as it is. */
  async adoptRoot(text: string): Promise<void> {
    if (!(await this.#store.find(this.#idOf(text)))) await this.#storeRoot(text);
  }

  /**
   * The token behind a text, if it is one, has not expired and may be used from this address. Where uses are counted, this is
   * one of them.
   */
  async authenticate(text: string, address: string): Promise<Token | undefined> {
    if (text === '' || text.length > MAX_TOKEN_TEXT) return undefined;
    const token = isBatchText(text) ? openBatchToken(this.#keyring, text) : await this.#findStored(text);
    if (!token || (token.expiresAt !== null && token.expiresAt <= this.#clock())) return undefined;
    if (!withinBlocks(address, token.boundCidrs)) return undefined;
    if (token.usesLeft === null) return token;
    const usesLeft = await this.#store.use(token.id);
    return usesLeft === undefined ? undefined : { ...token, usesLeft };
  }

  /**
   * Gives a token more time, on the terms of today.
   * @throws AppError when it cannot be renewed or has reached its maximum.
   */
  async renew(token: Token, terms: TtlTerms, limits: TtlLimits, increment: number): Promise<RenewedToken> {
    if (token.type === 'batch') throw new AppError('bad-request', 'batch tokens cannot be renewed');
    if (!isRenewable(token) || isRoot(token)) throw new AppError('bad-request', 'lease is not renewable');
    const now = this.#clock();
    const age = Math.floor((now - token.createdAt) / 1000);
    const { ttl, warnings } = lifetime(terms, limits, age, increment);
    const expiresAt = now + ttl * 1000;
    if (!(await this.#store.extend(token.id, now, expiresAt))) throw new AppError('bad-request', 'token not found');
    return { token: { ...token, renewedAt: now, expiresAt }, ttl, warnings };
  }

  /** @throws AppError for a batch token */
  async revoke(token: Token): Promise<void> {
    if (token.type === 'batch') throw new AppError('bad-request', 'batch tokens cannot be revoked');
    await this.#store.remove(token.id);
  }

  /** Removes a bounded number of expired tokens. They were dead already: expiry is enforced when a token is used. */
  sweep(): Promise<number> {
    return this.#store.removeExpired(this.#clock(), SWEEP_STEP);
  }

  async #storeRoot(text: string): Promise<void> {
    const token: Token = {
      id: this.#idOf(text),
      type: 'service',
      accessor: newAccessor(),
      usesLeft: null,
      path: ROOT_PATH,
      displayName: 'root',
      policies: ['root'],
      metadata: null,
      boundCidrs: [],
      orphan: true,
      period: 0,
      explicitMaxTtl: 0,
      creationTtl: 0,
      createdAt: this.#clock(),
      renewedAt: null,
      expiresAt: null,
      mountId: null,
      certificate: null,
    };
    await this.#store.insert({ token, secretHash: this.#hash(text) });
  }

  async #findStored(text: string): Promise<Token | undefined> {
    const stored = await this.#store.find(this.#idOf(text));
    return stored && this.#keyring.matches(text, PURPOSE, stored.secretHash) ? stored.token : undefined;
  }

  #hash(text: string): Uint8Array {
    return this.#keyring.hash(text, PURPOSE);
  }

  /** A text of another form is found by an id made from its keyed hash: half of it, which says nothing about the text. */
  #idOf(text: string): string {
    return (
      publicId(text) ?? `x${Buffer.from(this.#keyring.hash(text, 'access-token-id').subarray(0, 16)).toString('hex')}`
    );
  }
}
