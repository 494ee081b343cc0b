import type { Clock } from '../../../lib/clock.ts';
import { lruCache } from '../../../lib/lru-cache.ts';
import { LINK_GRACE_MS } from '../../../lib/signed-links/index.ts';
import { type Database, type Keyring, ReadThroughCache } from '../../../storage/index.ts';
import type { TenancyHooks } from '../hooks/hooks.ts';
import type { MachineIdentities } from '../machine/identities.ts';
import type { Actor, AgentActor, MachineActor, UserActor } from '../permissions/actor.ts';
import { type Grant, type Grants, grantsOf, NO_ACCESS, organizationGrant, teamGrant } from '../permissions/grants.ts';
import type { Machine, MachineAuthenticator } from '../permissions/machine.ts';
import { credentialText, readCredential } from './credential.ts';
import { PROVED_BUT, refusedIn } from './refusal.ts';
import * as store from './store.ts';
import { TokenProof, tokenId } from './token-text.ts';

/**
 * Longer texts cannot be tokens.
 * @limit text of a token of the workspace API, characters -> 401
 */
const MAX_TOKEN_LENGTH = 8192;
const LAST_USED_EVERY = 60_000;
const KNOWN_TOKENS = 5000;
/** @limit tokens whose last use is in memory, tokens -> the use of the least recently used one is stored again */
const NOTED_TOKENS = 50_000;

/** Stored token with its owner, whose secret is not checked yet; or no token with this id. */
type Known =
  | { readonly token: store.TokenRow; readonly proof: TokenProof; readonly actor: Actor | undefined }
  | { readonly token: undefined };

type Row = store.TokenRow & store.Entry & store.TokenRules;

export interface AuthenticationOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly identities: MachineIdentities;
  readonly machines: MachineAuthenticator | undefined;
  readonly hooks: TenancyHooks;
  /** Called when storing the last use of a token fails. Requests do not wait for it. */
  readonly report: (error: unknown) => void;
}

/**
 * Authenticates tokens. The server's own tokens belong to users, teams, organizations and agents; tokens of a mount
 * belong to machines.
 */
export class Authentication {
  readonly #options: AuthenticationOptions;
  readonly #known: ReadThroughCache<Known>;
  /** Time at which the last use of a token was stored, by id. No decision depends on it. */
  readonly #noted = lruCache<string, number>(NOTED_TOKENS);

  /** Actors of the last successful authentications, by token id, if reads are not cached. */
  readonly #last = lruCache<string, Actor>(KNOWN_TOKENS);
  readonly #keeps: boolean;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    this.#keeps = options.database.reading() !== undefined;
    this.#known = new ReadThroughCache(options.database, KNOWN_TOKENS);
  }

  /**
   * Authenticates a token. Returns undefined if it is unknown, expired, or of a machine that acts for no team. The
   * server's own tokens need one query.
   */
  async authenticate(text: string, remoteAddress: string, agentId = ''): Promise<Actor | undefined> {
    const found = await this.admit(text, remoteAddress, agentId);
    return typeof found === 'string' ? undefined : found;
  }

  /** Like `authenticate`, but also returns to the holder of a valid token why it has no access any more. */
  async admit(text: string, remoteAddress: string, agentId = ''): Promise<Actor | string | undefined> {
    if (text.length > MAX_TOKEN_LENGTH) return undefined;
    const { agents } = this.#options.hooks;
    if (agents.knows(text)) return agents.admit(text, agentId, remoteAddress);
    const id = tokenId(this.#options.keyring, text);
    const found = await this.#admit(id, text, { remoteAddress, agentId });
    if (typeof found === 'object' && !this.#keeps) this.#last.set(id, found);
    return found;
  }

  async #admit(
    id: string,
    text: string,
    { remoteAddress, agentId }: { readonly remoteAddress: string; readonly agentId: string },
  ): Promise<Actor | string | undefined> {
    const known = await this.#known.get(id, () => this.#read(id));
    if (known.token === undefined) {
      const machine = await this.#options.machines?.authenticate(text, remoteAddress);
      return machine && ((await this.#machineActor(machine, agentId)) ?? PROVED_BUT.noTeam);
    }

    const { token, proof, actor } = known;
    const now = this.#options.clock();
    const noted = this.#notedUse(id);
    if (!proof.proves(this.#options.keyring, text)) return undefined;
    if (isOver(token, now)) return PROVED_BUT.expired(token);
    if (isIdle(token, noted, now)) return PROVED_BUT.idle;
    if (token.suspendedAt !== null) return PROVED_BUT.suspended;
    if (noted < now - LAST_USED_EVERY) this.#noteUse(id, now);
    return actor;
  }

  /**
   * Returns the actor of the last authentication with this token id. The text itself is not verified, so the result is
   * only good for a prefetch. Returns undefined if reads are cached.
   */
  lastOf(text: string): Actor | undefined {
    if (text.length > MAX_TOKEN_LENGTH) return undefined;
    return this.#last.get(tokenId(this.#options.keyring, text));
  }

  /**
   * Authenticates again by the reference to a credential, with its current grants. Returns undefined if the credential
   * was revoked or has no owner any more. A credential that expired after `since` is still accepted.
   */
  async recall(
    text: string,
    remoteAddress: string,
    since: number = this.#options.clock() - LINK_GRACE_MS,
  ): Promise<Actor | undefined> {
    const { hooks, machines } = this.#options;
    const credential = readCredential(text);
    if (credential === undefined) return undefined;
    if (credential.kind === 'machine') {
      const machine = await machines?.standing(credential.reference, remoteAddress);
      return machine && machine.expiresAt > since ? this.#machineActor(machine, credential.agentId) : undefined;
    }
    if (credential.kind === 'agent') return hooks.agents.recall(credential.tokenId, credential.agentId, since);
    if (credential.kind === 'own-agent') return hooks.agents.recallOwn(credential.agentId);
    if ('phaseId' in credential) return hooks.agents.recallJob(credential, remoteAddress);
    const known = await this.#known.get(credential.id, () => this.#read(credential.id));
    if (known.token === undefined || isOver(known.token, since)) return undefined;
    const isOut = isIdle(known.token, this.#notedUse(credential.id), since);
    return isOut || known.actor === undefined ? undefined : withoutReasons(known.actor);
  }

  /** Returns a user without a token, for the operator's commands. */
  async actorOf(userId: string): Promise<UserActor | undefined> {
    const rows = await store.userWithEntries(this.#options.database, userId);
    const [user] = rows;
    return user && { kind: 'user', id: user.userId, username: user.username, credential: '', grants: grantsIn(rows) };
  }

  async #read(id: string): Promise<Known> {
    const rows = await store.tokenWithEntries(this.#options.database, id);
    const [token] = rows;
    if (token === undefined) return { token };
    return { token, proof: new TokenProof(token.hash), actor: actorOf(id, token, rows) };
  }

  async #machineActor(machine: Machine | undefined, agentId: string): Promise<MachineActor | AgentActor | undefined> {
    if (machine === undefined) return undefined;
    const { hooks, identities } = this.#options;
    const { teams, pool } = await identities.actsFor(machine);
    if (pool !== undefined) return hooks.agents.certified(machine, pool, agentId);
    const credential = credentialText({ kind: 'machine', reference: machine.reference, agentId: '' });
    return teams.length === 0 ? undefined : { kind: 'machine', machine, credential, grants: grantsOf(teams) };
  }

  #notedUse(id: string): number {
    return this.#noted.get(id) ?? Number.NEGATIVE_INFINITY;
  }

  #noteUse(id: string, now: number): void {
    const { database, report } = this.#options;
    this.#noted.set(id, now);
    store.touchToken(database, { id, now, before: now - LAST_USED_EVERY }).catch(report);
  }
}

const isOver = ({ expiresAt }: store.TokenRow, now: number): boolean => expiresAt !== null && expiresAt <= now;

/**
 * Returns whether a session has been idle for too long.
 * @param noted time of the last use on this node; the stored one may be older
 */
function isIdle({ idleMs, createdAt, lastUsedAt }: store.TokenRow, noted: number, now: number): boolean {
  return idleMs !== null && Math.max(createdAt, lastUsedAt ?? 0, noted) + idleMs <= now;
}

/** The holder of a link may be another person than the holder of the token, so they get no reasons. */
function withoutReasons(actor: Actor): Actor {
  const { refusedIn: _, ...rest } = actor;
  return rest;
}

/** Returns the actor of a token; undefined for a token without an owner. */
function actorOf(id: string, token: store.TokenRow, all: readonly Row[]): Actor | undefined {
  const refused = refusedIn(all);
  const entries = all.filter(({ organizationId }) => organizationId === null || !refused.has(organizationId));
  const { ofTeam, ofOrganization, userId, username, purpose, siteAdmin, suspendedAt } = token;
  const credential = credentialText({ kind: 'token', id });
  if (ofTeam !== null) return { kind: 'team', teamId: ofTeam, credential, grants: grantsIn(entries) };
  if (userId === null || username === null || suspendedAt !== null) return undefined;
  if (ofOrganization === null) {
    const user = { id: userId, username, siteAdmin: siteAdmin === 1, credential, grants: grantsIn(entries) };
    return { kind: 'user', ...user, ...(refused.size > 0 && { refusedIn: refused }) };
  }
  // The entry is missing as soon as the organization is being removed.
  const isThere = entries.some(({ organizationId }) => organizationId === ofOrganization);
  const grants = isThere && purpose === '' ? [[ofOrganization, organizationGrant(ofOrganization)] as const] : [];
  const readsTrail = isThere && (purpose === '' || purpose === 'audit-trails');
  const organization = { organizationId: ofOrganization, readsTrail, grants: new Map(grants) };
  return { kind: 'organization', id: userId, credential, ...organization };
}

/** A member without a team sees the organization, but nothing that needs a team's permission. */
function grantsIn(entries: readonly store.Entry[]): Grants {
  const organizations = entries.flatMap(({ organizationId }) => (organizationId === null ? [] : [organizationId]));
  const bare = organizations.map((organizationId): [string, Grant] => [
    organizationId,
    { organizationId, teamIds: [], owner: false, access: NO_ACCESS },
  ]);
  const teams = entries.filter((entry) => entry.teamId !== null).map(teamGrant);
  return new Map([...bare, ...grantsOf(teams)]);
}
