import type { Clock } from '../../../lib/clock.ts';
import { LINK_GRACE_MS } from '../../../lib/link-grace.ts';
import { lruCache } from '../../../lib/lru-cache.ts';
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
 * Nothing that could be a token is longer.
 * @limit the text of a token of the workspace API, characters -> 401
 */
const MAX_TOKEN_LENGTH = 8192;
const LAST_USED_EVERY = 60_000;
const KNOWN_TOKENS = 5000;
/** @limit tokens whose last use is in memory, tokens -> the one unused for longest is noted again */
const NOTED_TOKENS = 50_000;

/** A token of ours, which is still to be proved, and whose it is; or that there is none of that id. */
type Known =
  | { readonly token: store.TokenRow; readonly proof: TokenProof; readonly actor: Actor | undefined }
  | { readonly token: undefined };

type Row = store.TokenRow & store.Entry & store.TokenRules;

/** Where tokens are looked up. */
export interface AuthenticationOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly identities: MachineIdentities;
  readonly machines: MachineAuthenticator | undefined;
  readonly hooks: TenancyHooks;
  /** Told when noting the use of a token fails, which no request waits for. */
  readonly report: (error: unknown) => void;
}

/** Tells who presents a token: a user, a team, an organization or an agent by one of our own, a machine by one of its method's. */
export class Authentication {
  readonly #options: AuthenticationOptions;
  readonly #known: ReadThroughCache<Known>;
  /** When the use of a token was last noted, by id: nobody reads it to decide. */
  readonly #noted = lruCache<string, number>(NOTED_TOKENS);

  /** Whom tokens let in here last, by id, where what is read is not kept. */
  readonly #last = lruCache<string, Actor>(KNOWN_TOKENS);
  readonly #keeps: boolean;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    this.#keeps = options.database.reading() !== undefined;
    this.#known = new ReadThroughCache(options.database, KNOWN_TOKENS);
  }

  /** Undefined for a token that is unknown, expired, or a machine's that acts for nobody. One query for our own. */
  async authenticate(text: string, remoteAddress: string, agentId = ''): Promise<Actor | undefined> {
    const found = await this.admit(text, remoteAddress, agentId);
    return typeof found === 'string' ? undefined : found;
  }

  /** Authenticates a token. For its holder it also says why a token that was proved opens nothing any more. */
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
   * Whom a token of this id let in here before, as they were then. It says nothing of this text, nor of today: only what it is
   * worth to read beforehand. Undefined where what is read is kept.
   */
  lastOf(text: string): Actor | undefined {
    if (text.length > MAX_TOKEN_LENGTH) return undefined;
    return this.#last.get(tokenId(this.#options.keyring, text));
  }

  /**
   * Whoever came in by a credential before, as things are now: what the token is granted today, or undefined when it was revoked
   * or is no more anybody's. One that expired after `since` still counts.
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

  /** A user without a token: for the commands that set an installation up. */
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

/** Of a session alone. @param noted when it was used here; what is kept of it may be older */
function isIdle({ idleMs, createdAt, lastUsedAt }: store.TokenRow, noted: number, now: number): boolean {
  return idleMs !== null && Math.max(createdAt, lastUsedAt ?? 0, noted) + idleMs <= now;
}

/** A person with a link need not hold the token that it was made for, and gets no reason. */
function withoutReasons(actor: Actor): Actor {
  const { refusedIn: _, ...rest } = actor;
  return rest;
}

/** Undefined for a token that is nobody's. */
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
  // Once the organization is being removed there is no entry left.
  const isThere = entries.some(({ organizationId }) => organizationId === ofOrganization);
  const grants = isThere && purpose === '' ? [[ofOrganization, organizationGrant(ofOrganization)] as const] : [];
  const readsTrail = isThere && (purpose === '' || purpose === 'audit-trails');
  const organization = { organizationId: ofOrganization, readsTrail, grants: new Map(grants) };
  return { kind: 'organization', id: userId, credential, ...organization };
}

/** A member without a team sees the organization, and nothing that a team would have to give. */
function grantsIn(entries: readonly store.Entry[]): Grants {
  const organizations = entries.flatMap(({ organizationId }) => (organizationId === null ? [] : [organizationId]));
  const bare = organizations.map((organizationId): [string, Grant] => [
    organizationId,
    { organizationId, teamIds: [], owner: false, access: NO_ACCESS },
  ]);
  const teams = entries.filter((entry) => entry.teamId !== null).map(teamGrant);
  return new Map([...bare, ...grantsOf(teams)]);
}
