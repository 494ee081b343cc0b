import { withinBlocks } from '../../../lib/cidr.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { LINK_GRACE_MS } from '../../../lib/signed-links/index.ts';
import type { Database, Keyring } from '../../../storage/index.ts';
import { isRenewable, type Token } from '../../model/token.ts';
import type { TtlLimits } from '../../model/ttl-limits.ts';
import { TokenRoleStore } from '../role/token-role-store.ts';
import { isBatchText, openBatchToken, sealBatchToken } from './batch-token.ts';
import { type GoneBy, MAX_ANCESTORS, type Origin, type Standing } from './liveness.ts';
import { pathRanges, TokenPaths } from './token-paths.ts';
import { TokenRemoval } from './token-removal.ts';
import { rootRequest, type TokenRequest, tokenOf } from './token-request.ts';
import { type ListedToken, type StoredToken, TokenStore } from './token-store.ts';
import { newTokenText, publicId } from './token-text.ts';
import { lifetime, type TtlTerms } from './ttl.ts';

export type { TokenRequest } from './token-request.ts';

/** Purpose of the keyring's hashes of these tokens. */
const PURPOSE = 'access-token';
const ROOT_PATH = 'auth/token/root';
/**
 * Longer than any generated token. Longer texts are refused without a lookup.
 * @limit the text of a token, characters -> the token is invalid: 403
 */
const MAX_TOKEN_TEXT = 8192;

const UNMADE = {
  taken: 'cannot create a token with a duplicate ID',
  'parent-gone': 'parent token not found',
  'too-deep': `a token can have at most ${MAX_ANCESTORS} ancestors`,
};

/** A live token with its current state. */
export interface LiveToken extends Standing {
  readonly token: Token;
}

export interface RenewedToken {
  readonly token: Token;
  /** Lifetime of the token, seconds. */
  readonly ttl: number;
  readonly warnings: readonly string[];
}

export interface IssuedToken extends RenewedToken {
  /** Text of the token. It is returned once and cannot be read again. */
  readonly text: string;
}

/** The token of a login. It has no parent and no custom text. */
export type LoginRequest = Omit<TokenRequest, 'parentId' | 'text' | 'notBefore' | 'endless'>;

/** Data of a token that is not stored, as far as needed to check its validity. */
export type Unstored = Origin & Pick<Token, 'expiresAt' | 'boundCidrs'>;

/** Issues, finds, renews and revokes the tokens of the access API. */
export class TokenService {
  readonly roles: TokenRoleStore;
  readonly #removal: TokenRemoval;
  readonly #paths: TokenPaths;
  readonly #store: TokenStore;
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(database: Database, keyring: Keyring, clock: Clock) {
    this.roles = new TokenRoleStore(database);
    this.#removal = new TokenRemoval(database);
    this.#paths = new TokenPaths(database);
    this.#store = new TokenStore(database);
    this.#keyring = keyring;
    this.#clock = clock;
  }

  /**
   * Issues a token.
   * @throws AppError bad-request if the custom text is in use or the parent cannot have the child
   */
  async issue(request: TokenRequest, limits: TtlLimits): Promise<IssuedToken> {
    const made = this.#make(request, limits);
    const { token, text } = made;
    if (token.type === 'batch') {
      const refused = await this.#store.refusedChild(token);
      if (refused) throw new AppError('bad-request', UNMADE[refused]);
      return this.#sealed(made);
    }
    if (request.text !== undefined) await this.#removal.removeEnded(token.id, token.createdAt);
    const result = await this.#store.insert(token, this.#keyring.hash(text, PURPOSE));
    if (result !== 'inserted') throw new AppError('bad-request', UNMADE[result]);
    return made;
  }

  /**
   * Issues the token of a login in one statement. Returns undefined, and issues nothing, if the login's data has
   * changed meanwhile.
   * @throws AppError bad-request
   */
  async issueUnchanged(request: LoginRequest, limits: TtlLimits, goneBy: GoneBy): Promise<IssuedToken | undefined> {
    const made = this.#make(request, limits);
    const { token, text } = made;
    if (token.type === 'batch') return (await this.#store.isUnchanged(goneBy)) ? this.#sealed(made) : undefined;
    const hash = this.#keyring.hash(text, PURPOSE);
    return (await this.#store.insertUnchanged(token, hash, goneBy)) ? made : undefined;
  }

  /**
   * Checks whether the token of a login can be issued, without storing it.
   * @throws AppError bad-request
   */
  foresee(request: LoginRequest, limits: TtlLimits): void {
    const made = this.#make(request, limits);
    if (made.token.type === 'batch') this.#sealed(made);
  }

  /** Creates a root token that never expires. Returns undefined if one was created before. */
  async createFirstRoot(): Promise<string | undefined> {
    return (await this.#store.hasPath(ROOT_PATH)) ? undefined : this.createRoot();
  }

  /**
   * Revokes all stored tokens and returns their number. Only for commands of the operator while no server runs. Batch
   * tokens are not stored and stay valid.
   */
  revokeAll(): Promise<number> {
    return this.#store.removeAll();
  }

  async createRoot(): Promise<string> {
    return (await this.issue(rootRequest(ROOT_PATH), NO_LIMITS)).text;
  }

  /** Creates a root token with a text that the operator chose. Keeps an existing one. */
  async adoptRoot(text: string): Promise<void> {
    if (!(await this.#store.find(this.#idOf(text), this.#clock()))) {
      await this.issue(rootRequest(ROOT_PATH, text), NO_LIMITS);
    }
  }

  /**
   * Returns the live token with a text. The token and its ancestors must be live, its entity must exist and be
   * enabled, and the client's address must be allowed. Decrements `num_uses`.
   */
  async authenticate(text: string, address: string): Promise<LiveToken | undefined> {
    const live = await this.authenticateWithoutUse(text, address);
    if (!live || live.token.usesLeft === null) return live;
    const usesLeft = await this.#store.use(live.token.id, this.#clock());
    return usesLeft === undefined ? undefined : { ...live, token: { ...live.token, usesLeft } };
  }

  /** Like `authenticate`, but does not decrement `num_uses`. */
  async authenticateWithoutUse(text: string, address: string): Promise<LiveToken | undefined> {
    const live = await this.#live(text);
    return live && isUsable(live, address) ? live : undefined;
  }

  /**
   * Returns a stored token by its public id, for something that it has started. Like `authenticateWithoutUse`, but the
   * token may have expired up to LINK_GRACE_MS ago. Undefined if it was revoked.
   */
  async recall(id: string, address: string): Promise<Token | undefined> {
    const until = this.#clock() - LINK_GRACE_MS;
    const stored = await this.#store.find(id, until);
    if (!stored || !isUsable(stored, address) || !(await this.#store.isRooted(stored.token, until))) return undefined;
    return stored.token;
  }

  /** Like `recall`, for a token that is not stored (a batch token). */
  async recallUnstored<T extends Unstored>(token: T, address: string): Promise<T | undefined> {
    const standing = await this.#unstored(token, this.#clock() - LINK_GRACE_MS);
    return standing && isUsable({ ...standing, token }, address)
      ? { ...token, entityId: standing.entityId }
      : undefined;
  }

  /** Returns the live token with a text. Does not count as a use. */
  async find(text: string): Promise<Token | undefined> {
    return (await this.#live(text))?.token;
  }

  /** Returns the live token with an accessor. */
  async findByAccessor(accessor: string): Promise<Token | undefined> {
    return (await this.#rooted(await this.#store.findByAccessor(accessor, this.#clock())))?.token;
  }

  /** Returns `most` accessors after `after`, in order. */
  accessors(after: string, most: number): Promise<string[]> {
    return this.#store.accessors(after, most, this.#clock());
  }

  /** Returns the tokens of a page. May include tokens with an invalid ancestor until the next sweep. */
  page(after: string, most: number): Promise<ListedToken[]> {
    return this.#store.page(after, most, this.#clock());
  }

  /** Returns the accessor of a token's parent, or null. */
  parentAccessor(token: Token): Promise<string | null> {
    return this.#store.parentAccessor(token);
  }

  /** Returns how many tokens are revoked with this one, at most `most`. */
  descendants(token: Token, most: number): Promise<number> {
    return this.#store.descendants(token, most, this.#clock());
  }

  /** Returns the live token with a public id. */
  async findById(id: string): Promise<Token | undefined> {
    return (await this.#rooted(await this.#store.find(id, this.#clock())))?.token;
  }

  /**
   * Extends the lifetime of a token, with the current terms.
   * @throws AppError if it cannot be renewed or has reached its maximum
   */
  async renew(token: Token, terms: TtlTerms, limits: TtlLimits, increment: number): Promise<RenewedToken> {
    if (token.type === 'batch') throw new AppError('bad-request', 'batch tokens cannot be renewed');
    if (!isRenewable(token)) throw new AppError('bad-request', 'lease is not renewable');
    const now = this.#clock();
    const age = Math.floor((now - token.createdAt) / 1000);
    const { ttl, warnings } = lifetime(terms, limits, age, increment);
    const expiresAt = now + ttl * 1000;
    if (!(await this.#store.extend(token.id, now, expiresAt))) {
      throw new AppError('bad-request', 'token not found, or its entity is disabled');
    }
    return { token: { ...token, renewedAt: now, expiresAt }, ttl, warnings };
  }

  /**
   * Revokes a token and all its descendants at once.
   * @throws AppError for a batch token
   */
  async revoke(token: Token): Promise<void> {
    await this.#removal.remove(revocable(token).id);
  }

  /**
   * Revokes a token, and makes its children orphans. Its batch tokens are revoked with it, because they cannot be
   * changed.
   * @throws AppError for a batch token
   */
  async revokeAlone(token: Token): Promise<void> {
    await this.#removal.removeAlone(revocable(token).id);
  }

  /** Revokes every expiring token issued by this path or below it, with its descendants. */
  async revokeBelow(prefix: string): Promise<void> {
    const now = this.#clock();
    for (const range of pathRanges(prefix)) await this.#removal.removeRange({ ...range, until: now });
  }

  /** Returns the entries below a path: ids of tokens, and the next segments of longer paths with a trailing slash. */
  below(path: string, after: string, most: number): Promise<string[]> {
    return this.#paths.below(path, { after, most, now: this.#clock() });
  }

  /** Removes some tokens of a mount. Returns false when none are left. */
  removeSomeOfMount(mountId: string): Promise<boolean> {
    return this.#removal.removeSomeOfMount(mountId);
  }

  /**
   * Removes a bounded number of invalid tokens. Expired tokens are kept for LINK_GRACE_MS, because sessions may still
   * refer to them.
   */
  sweep(): Promise<number> {
    return this.#removal.sweep(this.#clock() - LINK_GRACE_MS);
  }

  #make(request: TokenRequest, limits: TtlLimits): IssuedToken {
    const now = Math.max(this.#clock(), request.notBefore ?? 0);
    const { ttl, warnings } = request.endless ? { ttl: 0, warnings: [] } : lifetime(request.terms, limits, 0);
    const text = request.text ?? newTokenText(now);
    return { text, token: tokenOf(request, this.#idOf(text), now, ttl), ttl, warnings };
  }

  #sealed(made: IssuedToken): IssuedToken {
    const text = sealBatchToken(this.#keyring, made.token);
    if (text.length > MAX_TOKEN_TEXT)
      throw new AppError(
        'bad-request',
        'the data of the batch token is too large: shorten its metadata, policies or names',
      );
    return { ...made, text };
  }

  async #live(text: string): Promise<LiveToken | undefined> {
    if (text === '' || text.length > MAX_TOKEN_TEXT) return undefined;
    if (isBatchText(text)) return this.#liveBatch(text);
    const stored = await this.#store.find(this.#idOf(text), this.#clock());
    return stored && this.#keyring.matches(text, PURPOSE, stored.secretHash) ? this.#rooted(stored) : undefined;
  }

  async #liveBatch(text: string): Promise<LiveToken | undefined> {
    const token = openBatchToken(this.#keyring, text);
    if (!token) return undefined;
    const found = await this.#unstored(token, this.#clock());
    if (!found) return undefined;
    const { entityId, ...standing } = found;
    return { ...standing, token: { ...token, entityId } };
  }

  async #unstored(token: Unstored, now: number): ReturnType<TokenStore['batchStanding']> {
    if (token.expiresAt !== null && token.expiresAt <= now) return undefined;
    return this.#store.batchStanding(token, now);
  }

  async #rooted(stored: StoredToken | undefined): Promise<LiveToken | undefined> {
    if (!stored || !(await this.#store.isRooted(stored.token, this.#clock()))) return undefined;
    const { secretHash: _, ...live } = stored;
    return live;
  }

  /** Derives an id from half of the keyed hash for texts of another form. The id reveals nothing about the text. */
  #idOf(text: string): string {
    return (
      publicId(text) ?? `x${Buffer.from(this.#keyring.hash(text, 'access-token-id').subarray(0, 16)).toString('hex')}`
    );
  }
}

function isUsable({ blocked, token }: Pick<Standing, 'blocked'> & { token: Unstored }, address: string): boolean {
  return !blocked && withinBlocks(address, token.boundCidrs);
}

function revocable(token: Token): Token {
  if (token.type === 'batch') throw new AppError('bad-request', 'batch tokens cannot be revoked');
  return token;
}

/** Lifetime limits of tokens that never expire. */
const NO_LIMITS: TtlLimits = { defaultTtl: 0, maxTtl: 0 };
