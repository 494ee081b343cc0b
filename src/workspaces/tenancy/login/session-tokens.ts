import type { Authentication } from '../authentication/authentication.ts';
import { tokenIdOf } from '../authentication/credential.ts';
import type { Organizations } from '../organization/organizations.ts';
import type { Actor } from '../permissions/actor.ts';
import type { Origin, Sessions } from '../session/sessions.ts';
import type { Teams } from '../team/teams.ts';
import type { Tokens } from '../token/tokens.ts';

/** Whom a token stands for. */
export interface TokenHolder {
  readonly kind: Visitor['kind'];
  readonly id: string;
  /** As people know it; the id where it has no name. */
  readonly name: string;
  /** Milliseconds; null: never, or not by a record of ours. */
  readonly expiresAt: number | null;
}

/** What a session goes on with. */
export interface BrowserToken {
  readonly text: string;
  /** A session of ours, which `end` ends. */
  readonly made: boolean;
  /** Milliseconds; null for one that is held as it is. */
  readonly expiresAt: number | null;
}

/** What the service works with. */
export interface SessionTokensOptions {
  readonly authentication: Authentication;
  readonly tokens: Tokens;
  readonly teams: Teams;
  readonly organizations: Organizations;
  readonly sessions: Sessions;
}

/** Tokens as sessions in a browser use them. */
export class SessionTokens {
  readonly #options: SessionTokensOptions;

  constructor(options: SessionTokensOptions) {
    this.#options = options;
  }

  /**
   * Exchanges the token that was entered for the token of a console session. A user gets a new token that expires with
   * the session and is deleted with the entered one. Any other token is used as it is.
   * @returns undefined for a text that is not a token of this server
   */
  async exchange(text: string, from: Omit<Origin, 'signedInBy'>): Promise<BrowserToken | undefined> {
    const { authentication, sessions } = this.#options;
    const actor = asVisitor(await authentication.authenticate(text, from.address));
    if (actor === undefined) return undefined;
    if (actor.kind !== 'user') return { text, made: false, expiresAt: null };
    const begun = await sessions.begin(actor.id, { ...from, signedInBy: 'token', shown: tokenIdOf(actor) });
    return { text: begun.text, made: true, expiresAt: begun.token.expiresAt };
  }

  /** Undefined for a token that has ended. */
  async holderOf(text: string, address: string): Promise<TokenHolder | undefined> {
    const actor = asVisitor(await this.#options.authentication.authenticate(text, address));
    if (actor === undefined) return undefined;
    const expiresAt =
      actor.kind === 'user' ? (await this.#options.tokens.find(actor, tokenIdOf(actor))).expiresAt : null;
    return { kind: actor.kind, ...(await this.#namesOf(actor)), expiresAt };
  }

  /** Whether a session that began here goes on. */
  async isOpen(text: string, address: string): Promise<boolean> {
    return (await this.#options.authentication.authenticate(text, address)) !== undefined;
  }

  /** Ends a token that `exchange` made; of others nothing. */
  async end(text: string, address: string): Promise<void> {
    const { authentication, tokens } = this.#options;
    const actor = await authentication.authenticate(text, address);
    if (actor?.kind === 'user') await tokens.delete(actor, tokenIdOf(actor));
  }

  async #namesOf(actor: Visitor): Promise<{ id: string; name: string }> {
    const { teams, organizations } = this.#options;
    if (actor.kind === 'user') return { id: actor.id, name: actor.username };
    if (actor.kind === 'machine') return { id: actor.machine.accessor, name: actor.machine.commonName };
    if (actor.kind === 'team') {
      const [team] = await teams.readable(actor, [actor.teamId]);
      return { id: actor.teamId, name: team?.name ?? actor.teamId };
    }
    // Its token is let in to no other.
    const { items } = await organizations.list(actor, { query: '', name: '', email: '' });
    return { id: actor.organizationId, name: items[0]?.name ?? actor.organizationId };
  }
}

/** Those that see something here: what agents and services that judge runs may do, no page shows. */
type Visitor = Exclude<Actor, { readonly kind: 'agent' | 'task' }>;

function asVisitor(actor: Actor | undefined): Visitor | undefined {
  return actor === undefined || actor.kind === 'agent' || actor.kind === 'task' ? undefined : actor;
}
