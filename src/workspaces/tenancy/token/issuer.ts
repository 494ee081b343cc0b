import type { Clock } from '../../../lib/clock.ts';
import { timeOrderedId } from '../../../lib/ids.ts';
import type { Keyring, Queries } from '../../../storage/index.ts';
import { newTokenText, type TokenText } from '../authentication/token-text.ts';
import type { Actor } from '../permissions/actor.ts';
import * as store from './store.ts';

/** Fields of a new token. */
export interface TokenInput {
  readonly description: string;
  /**
   * Expiry in milliseconds since 1970. Null for a token that never expires, or for the default or the limit where one
   * applies.
   */
  readonly expiresAt: number | null;
}

/** Token with its text, which is shown only once. */
export interface IssuedToken {
  readonly token: store.Token;
  readonly text: string;
}

/** Owner and creator of a token. */
export type Ownership = Partial<
  Pick<
    store.Token,
    'userId' | 'teamId' | 'organizationId' | 'organizationName' | 'purpose' | 'onlyOne' | 'createdBy' | 'createdByTeam'
  >
>;

const NOBODY = {
  userId: null,
  teamId: null,
  organizationId: null,
  organizationName: null,
  purpose: '',
  onlyOne: 0,
  createdBy: null,
  createdByTeam: null,
} as const;

/** Creates and stores tokens. The caller checks permissions. */
export class TokenIssuer {
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(keyring: Keyring, clock: Clock) {
    this.#keyring = keyring;
    this.#clock = clock;
  }

  /**
   * Creates and stores a token.
   * @throws UniqueViolation if the team has a token with this description
   */
  issue(db: Queries, ownership: Ownership, input: TokenInput): Promise<IssuedToken> {
    return this.store(db, ownership, input, newTokenText(this.#keyring, timeOrderedId(this.#clock())));
  }

  /** Stores a token with a given text. An existing token stays unchanged. */
  async store(db: Queries, ownership: Ownership, input: TokenInput, text: TokenText): Promise<IssuedToken> {
    const token = { ...NOBODY, ...ownership, ...input, id: text.id, createdAt: this.#clock(), lastUsedAt: null };
    await store.insertToken(db, token, text.hash);
    return { token, text: text.text };
  }
}

/** Returns the account or team that created a token. */
export function makerOf(actor: Actor, organizationId: string): Ownership {
  if (actor.kind === 'user' || actor.kind === 'organization') return { createdBy: actor.id };
  return { createdByTeam: actor.grants.get(organizationId)?.teamIds[0] ?? null };
}
