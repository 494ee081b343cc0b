import { withinBlocks } from '../../../lib/cidr.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { LINK_GRACE_MS } from '../../../lib/link-grace.ts';
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

/** The keyring's purpose for the hashes of these tokens. */
const PURPOSE = 'access-token';
const ROOT_PATH = 'auth/token/root';
/**
 * Longer than any token we make; a longer text is refused before it is looked at.
 * @limit the text of a token, characters -> it is no token: 403
 */
const MAX_TOKEN_TEXT = 8192;

const UNMADE = {
  taken: 'cannot create a token with a duplicate ID',
  'parent-gone': 'parent token not found',
  'too-deep': `a token can have at most ${MAX_ANCESTORS} ancestors`,
};

/** A live token, and how it stands at that moment. */
export interface LiveToken extends Standing {
  readonly token: Token;
}

export interface RenewedToken {
  readonly token: Token;
  /** Seconds. */
  readonly ttl: number;
  readonly warnings: readonly string[];
}

export interface IssuedToken extends RenewedToken {
  /** Shown once; nobody can show it again. */
  readonly text: string;
}

/** It has no parent, and no text that somebody chose. */
export type LoginRequest = Omit<TokenRequest, 'parentId' | 'text' | 'notBefore' | 'endless'>;

/** What has to be known of a token that is not stored, to tell whether it stands. */
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

  /** @throws AppError bad-request when its text is taken, or its parent cannot have it */
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
   * The same for a login, in one statement: undefined, and nothing is issued, when what the login goes by has changed meanwhile.
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
   * Makes the token of a login and stores nothing: what `issue` would refuse of it is refused.
   * @throws AppError bad-request
   */
  foresee(request: LoginRequest, limits: TtlLimits): void {
    const made = this.#make(request, limits);
    if (made.token.type === 'batch') this.#sealed(made);
  }

  /** A token that may do everything and never expires; undefined when one was made before. */
  async createFirstRoot(): Promise<string | undefined> {
    return (await this.#store.hasPath(ROOT_PATH)) ? undefined : this.createRoot();
  }

  /** For the commands of the operator, while nobody serves. How many; batch tokens are not stored, and live on. */
  revokeAll(): Promise<number> {
    return this.#store.removeAll();
  }

  async createRoot(): Promise<string> {
    return (await this.issue(rootRequest(ROOT_PATH), NO_LIMITS)).text;
  }

  /** A root token whose text the operator chose. One that is there already stays as it is. */
  async adoptRoot(text: string): Promise<void> {
    if (!(await this.#store.find(this.#idOf(text), this.#clock()))) {
      await this.issue(rootRequest(ROOT_PATH, text), NO_LIMITS);
    }
  }

  /**
   * The token behind a text, if it is one, it and all it came from is alive, whom it stands for is there and not disabled, and
   * it may be used from this address. Where uses are counted, this is one of them.
   */
  async authenticate(text: string, address: string): Promise<LiveToken | undefined> {
    const live = await this.authenticateWithoutUse(text, address);
    if (!live || live.token.usesLeft === null) return live;
    const usesLeft = await this.#store.use(live.token.id, this.#clock());
    return usesLeft === undefined ? undefined : { ...live, token: { ...live.token, usesLeft } };
  }

  /** As `authenticate`, without being a use. */
  async authenticateWithoutUse(text: string, address: string): Promise<LiveToken | undefined> {
    const live = await this.#live(text);
    return live && isUsable(live, address) ? live : undefined;
  }

  /**
   * A stored token by its public id, for what was begun with it: it may have ended by itself, not longer ago than LINK_GRACE_MS.
   * Otherwise as `peek`; undefined for one that was revoked.
   */
  async recall(id: string, address: string): Promise<Token | undefined> {
    const until = this.#clock() - LINK_GRACE_MS;
    const stored = await this.#store.find(id, until);
    if (!stored || !isUsable(stored, address) || !(await this.#store.isRooted(stored.token, until))) return undefined;
    return stored.token;
  }

  /** The same of one that is not stored, by what is known of it. */
  async recallUnstored<T extends Unstored>(token: T, address: string): Promise<T | undefined> {
    const standing = await this.#unstored(token, this.#clock() - LINK_GRACE_MS);
    return standing && isUsable({ ...standing, token }, address)
      ? { ...token, entityId: standing.entityId }
      : undefined;
  }

  /** The live token behind a text, for who asks about it: this is no use of it. */
  async find(text: string): Promise<Token | undefined> {
    return (await this.#live(text))?.token;
  }

  /** The live token that an accessor names. */
  async findByAccessor(accessor: string): Promise<Token | undefined> {
    return (await this.#rooted(await this.#store.findByAccessor(accessor, this.#clock())))?.token;
  }

  /** In order: `most` of the accessors behind `after`. */
  accessors(after: string, most: number): Promise<string[]> {
    return this.#store.accessors(after, most, this.#clock());
  }

  /** The same tokens, with what is known of them. Those of which an ancestor has ended are dead, and there until the next sweep. */
  page(after: string, most: number): Promise<ListedToken[]> {
    return this.#store.page(after, most, this.#clock());
  }

  /** The accessor of what a token was created by; null where there is none. */
  parentAccessor(token: Token): Promise<string | null> {
    return this.#store.parentAccessor(token);
  }

  /** How many tokens end with this one; `most` where it is more. */
  descendants(token: Token, most: number): Promise<number> {
    return this.#store.descendants(token, most, this.#clock());
  }

  /** The live token with a public id. */
  async findById(id: string): Promise<Token | undefined> {
    return (await this.#rooted(await this.#store.find(id, this.#clock())))?.token;
  }

  /**
   * Gives a token more time, on the terms of today.
   * @throws AppError when it cannot be renewed or has reached its maximum.
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
   * Ends a token and all that came from it, at once.
   * @throws AppError for a batch token
   */
  async revoke(token: Token): Promise<void> {
    await this.#removal.remove(revocable(token).id);
  }

  /**
   * Ends a token; what it created lives on, without a parent. Its batch tokens end with it: they cannot be told.
   * @throws AppError for a batch token
   */
  async revokeAlone(token: Token): Promise<void> {
    await this.#removal.removeAlone(revocable(token).id);
  }

  /** Ends every token with an end that came from this path or from below it, and what came from those. */
  async revokeBelow(prefix: string): Promise<void> {
    const now = this.#clock();
    for (const range of pathRanges(prefix)) await this.#removal.removeRange({ ...range, until: now });
  }

  /** What lies below a path: the ids of tokens, and the next parts of longer paths, with a slash behind. */
  below(path: string, after: string, most: number): Promise<string[]> {
    return this.#paths.below(path, { after, most, now: this.#clock() });
  }

  /** Removes some of the tokens that a mount gave out; false when none is left. */
  removeSomeOfMount(mountId: string): Promise<boolean> {
    return this.#removal.removeSomeOfMount(mountId);
  }

  /** Removes the rows of a bounded number of dead tokens; of those that ended by themselves once no link asks for them. */
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
    if (text.length > MAX_TOKEN_TEXT) throw new AppError('bad-request', 'too much is said of a batch token');
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

  /** A text of another form is found by an id made from its keyed hash: half of it, which says nothing about the text. */
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

/** For tokens without an end. */
const NO_LIMITS: TtlLimits = { defaultTtl: 0, maxTtl: 0 };
