import type { Clock } from '../../../lib/clock.ts';
import type { Database, Keyring } from '../../../storage/index.ts';
import { type AgentActor, credentialText } from '../../tenancy/index.ts';
import * as agentStore from './agent-store.ts';

/** Format of a token of the server's own agents: `lkh.<expiry>.<keyed hash of the expiry>`. */
const OURS = /^lkh\.([0-9a-z]{1,12})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;
const PURPOSE = 'own-agent';
/** Lifetime of a token, in milliseconds. The server passes a new token before the old one expires. */
const LIFE = 3_600_000;

/**
 * Authentication of the server's own agents, which execute runs with `execution-mode: remote` in all organizations.
 * The server passes them their tokens, which live for an hour and are not stored.
 */
export class OwnAgents {
  readonly #database: Database;
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  /** Whether the server has its own agents. Otherwise their tokens are refused. */
  readonly isOn: boolean;

  constructor(database: Database, keyring: Keyring, clock: Clock, isOn: boolean) {
    this.#database = database;
    this.#keyring = keyring;
    this.#clock = clock;
    this.isOn = isOn;
  }

  static knows(text: string): boolean {
    return text.startsWith('lkh.');
  }

  /** Returns a token for an agent that this server starts. */
  issue(): string {
    const end = (this.#clock() + LIFE).toString(36);
    return `lkh.${end}.${Buffer.from(this.#keyring.hash(end, PURPOSE)).toString('base64url')}`;
  }

  /** Authenticates a token. Returns undefined if it is invalid. */
  async authenticate(text: string, agentId: string): Promise<AgentActor | undefined> {
    const [, end = '', hash = ''] = OURS.exec(text) ?? [];
    if (!this.isOn || end === '' || Number.parseInt(end, 36) <= this.#clock()) return undefined;
    if (!this.#keyring.matches(end, PURPOSE, Buffer.from(hash, 'base64url'))) return undefined;
    const agent = await agentStore.findOwnAgent(this.#database, agentId);
    if (agent !== undefined) await agentStore.updateLastSeen(this.#database, agent.id, agent.lastPingAt, this.#clock());
    return actorOf(agent?.id);
  }

  /** Re-authenticates an agent. */
  async recall(agentId: string): Promise<AgentActor | undefined> {
    const agent = this.isOn ? await agentStore.findOwnAgent(this.#database, agentId) : undefined;
    return agent && actorOf(agent.id);
  }
}

function actorOf(agentId: string | undefined): AgentActor {
  return {
    kind: 'agent',
    ...{ holder: { tokenId: null, identityId: null }, agentPoolId: null, organizationId: null },
    credential: credentialText({ kind: 'own-agent', agentId: agentId ?? '' }),
    ...{ agentId, job: undefined, grants: new Map() },
  };
}
