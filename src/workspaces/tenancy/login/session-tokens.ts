import type { Authentication } from '../authentication/authentication.ts';
import { tokenIdOf } from '../authentication/credential.ts';
import type { Organizations } from '../organization/organizations.ts';
import type { Actor } from '../permissions/actor.ts';
import type { Origin, Sessions } from '../session/sessions.ts';
import type { Teams } from '../team/teams.ts';
import type { Tokens } from '../token/tokens.ts';

/** User, team or organization that a token acts for. */
export interface TokenHolder {
  readonly kind: Visitor['kind'];
  readonly id: string;
  /** Display name; the id if there is no name. */
  readonly name: string;
  /** Expiry in milliseconds since 1970. Null if the token does not expire, or if it is not stored here. */
  readonly expiresAt: number | null;
  /** First organizations of a user, by name. */
  readonly organizations?: readonly string[];
  /** True for a user who is a site administrator. */
  readonly siteAdmin?: boolean;
}

/** @limit organizations that a session names, organizations -> the organizations page has the others */
const MOST_NAMED = 20;

/** Token that a session uses. */
export interface BrowserToken {
  readonly text: string;
  /** True if `exchange` created the token: `end` deletes it. */
  readonly made: boolean;
  /** Expiry in milliseconds since 1970. Null for a token that is used as it was entered. */
  readonly expiresAt: number | null;
}

export interface SessionTokensOptions {
  readonly authentication: Authentication;
  readonly tokens: Tokens;
  readonly teams: Teams;
  readonly organizations: Organizations;
  readonly sessions: Sessions;
}

/** Exchanges and checks the tokens of console sessions. */
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

  /** Returns the holder of a token. Returns undefined if the token is no longer valid. */
  async holderOf(text: string, address: string): Promise<TokenHolder | undefined> {
    const actor = asVisitor(await this.#options.authentication.authenticate(text, address));
    if (actor === undefined) return undefined;
    const expiresAt =
      actor.kind === 'user' ? (await this.#options.tokens.find(actor, tokenIdOf(actor))).expiresAt : null;
    return { kind: actor.kind, ...(await this.#namesOf(actor)), expiresAt, ...(await this.#rightsOf(actor)) };
  }

  /** Returns whether the token of a session is still valid. */
  async isOpen(text: string, address: string): Promise<boolean> {
    return (await this.#options.authentication.authenticate(text, address)) !== undefined;
  }

  /** Deletes a token that `exchange` created. Keeps any other token. */
  async end(text: string, address: string): Promise<void> {
    const { authentication, tokens } = this.#options;
    const actor = await authentication.authenticate(text, address);
    if (actor?.kind === 'user') await tokens.delete(actor, tokenIdOf(actor));
  }

  async #rightsOf(actor: Visitor): Promise<Pick<TokenHolder, 'organizations' | 'siteAdmin'>> {
    if (actor.kind !== 'user') return {};
    const page = { number: 1, size: MOST_NAMED, offset: 0 };
    const { items } = await this.#options.organizations.list(actor, { query: '', name: '', email: '' }, page);
    return { organizations: items.map(({ name }) => name), siteAdmin: actor.siteAdmin ?? false };
  }

  async #namesOf(actor: Visitor): Promise<{ id: string; name: string }> {
    const { teams, organizations } = this.#options;
    if (actor.kind === 'user') return { id: actor.id, name: actor.username };
    if (actor.kind === 'machine') return { id: actor.machine.accessor, name: actor.machine.commonName };
    if (actor.kind === 'team') {
      const [team] = await teams.readable(actor, [actor.teamId]);
      return { id: actor.teamId, name: team?.name ?? actor.teamId };
    }
    // A team or organization token has access to only one organization.
    const { items } = await organizations.list(actor, { query: '', name: '', email: '' });
    return { id: actor.organizationId, name: items[0]?.name ?? actor.organizationId };
  }
}

/** Actors that can use the console. Agents and run task services have no pages. */
type Visitor = Exclude<Actor, { readonly kind: 'agent' | 'task' }>;

function asVisitor(actor: Actor | undefined): Visitor | undefined {
  return actor === undefined || actor.kind === 'agent' || actor.kind === 'task' ? undefined : actor;
}
