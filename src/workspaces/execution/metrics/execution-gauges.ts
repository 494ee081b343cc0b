import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { SILENCE } from '../agent-pool/agent.ts';
import * as store from './gauge-store.ts';

/** Which pool a figure is of. The installation's own agents are of pool `installation`, of no organization. */
export interface PoolName {
  readonly organization: string;
  readonly pool: string;
}

/** Jobs that wait for the agents of one pool. */
export interface WaitingJobs extends PoolName {
  readonly jobs: number;
  /** Seconds that the first of them has waited. */
  readonly oldest: number;
}

/** Agents of one pool that do the same. */
export interface CountedAgents extends PoolName {
  readonly status: string;
  readonly agents: number;
}

/** What is to be sent. */
export interface WaitingMessages {
  readonly queue: string;
  readonly pending: number;
  /** Seconds since the first of them was due; 0 where none is. */
  readonly oldest: number;
}

const OWN: PoolName = { organization: '', pool: 'installation' };
/** Of workspaces that leave their runs to a pool, and have none. */
const NOBODYS: PoolName = { organization: '', pool: 'none' };

/** How runs, agents and what is to be sent stand, in bounded numbers: for whoever looks from time to time. */
export class ExecutionGauges {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** By status; without those that are over. */
  runs(): Promise<store.RunCount[]> {
    return store.runsByStatus(this.#database);
  }

  async waiting(): Promise<WaitingJobs[]> {
    const found = await store.waitingByPool(this.#database);
    const nameOf = await this.#names(found.map(({ pool }) => pool));
    return found.flatMap(({ pool, waiting, since }) => {
      const name = pool === null ? NOBODYS : pool === '' ? OWN : nameOf(pool);
      return name ? [{ ...name, jobs: waiting, oldest: this.#secondsSince(since) }] : [];
    });
  }

  async agents(): Promise<CountedAgents[]> {
    const groups = await store.agentGroups(this.#database, this.#clock() - SILENCE);
    const nameOf = await this.#names([...new Set(groups.map(({ pool }) => pool))]);
    return groups.flatMap(({ pool, status, agents }) => {
      const name = pool === null ? OWN : nameOf(pool);
      return name ? [{ ...name, status, agents }] : [];
    });
  }

  async outboxes(): Promise<WaitingMessages[]> {
    return (await store.outboxCounts(this.#database)).map(({ queue, pending, dueAt }) => ({
      ...{ queue, pending },
      oldest: this.#secondsSince(dueAt),
    }));
  }

  async #names(pools: readonly (string | null)[]): Promise<(id: string) => PoolName | undefined> {
    const named = await store.poolNames(
      this.#database,
      pools.filter((pool) => pool !== null && pool !== '') as string[],
    );
    return (id) => named.get(id);
  }

  #secondsSince(time: number | null): number {
    return time === null ? 0 : Math.max(0, (this.#clock() - time) / 1000);
  }
}
