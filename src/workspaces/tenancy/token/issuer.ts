import type { Clock } from '../../../lib/clock.ts';
import { timeOrderedId } from '../../../lib/ids.ts';
import type { Keyring, Queries } from '../../../storage/index.ts';
import { newTokenText, type TokenText } from '../authentication/token-text.ts';
import type { Actor } from '../permissions/actor.ts';
import * as store from './store.ts';

/** What its maker says of a token. */
export interface TokenInput {
  readonly description: string;
  /** Milliseconds since 1970; null for never, or where a limit or a default has a say, for that. */
  readonly expiresAt: number | null;
}

/** A token and its text, which is shown this once. */
export interface IssuedToken {
  readonly token: store.Token;
  readonly text: string;
}

/** Whose token it is, and who made it. */
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

/** Makes tokens and stores them. Whether somebody may have one has been asked before. */
export class TokenIssuer {
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor(keyring: Keyring, clock: Clock) {
    this.#keyring = keyring;
    this.#clock = clock;
  }

  /** @throws UniqueViolation for a description that the team has used */
  issue(db: Queries, ownership: Ownership, input: TokenInput): Promise<IssuedToken> {
    return this.store(db, ownership, input, newTokenText(this.#keyring, timeOrderedId(this.#clock())));
  }

  /** One that is there already stays as it is. */
  async store(db: Queries, ownership: Ownership, input: TokenInput, text: TokenText): Promise<IssuedToken> {
    const token = { ...NOBODY, ...ownership, ...input, id: text.id, createdAt: this.#clock(), lastUsedAt: null };
    await store.insertToken(db, token, text.hash);
    return { token, text: text.text };
  }
}

/** Who made a token, as far as an account or a team stands for them. */
export function makerOf(actor: Actor, organizationId: string): Ownership {
  if (actor.kind === 'user' || actor.kind === 'organization') return { createdBy: actor.id };
  return { createdByTeam: actor.grants.get(organizationId)?.teamIds[0] ?? null };
}
