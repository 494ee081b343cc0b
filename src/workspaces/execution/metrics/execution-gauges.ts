import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { SILENCE } from '../agent-pool/agent.ts';
import * as store from './gauge-store.ts';

/** Labels of the pool of a metric. The server's own agents have the pool `installation` and no organization. */
export interface PoolName {
  readonly organization: string;
  readonly pool: string;
}

/** Jobs that wait for the agents of one pool. */
export interface WaitingJobs extends PoolName {
  readonly jobs: number;
  /** Seconds for which the oldest job has waited. */
  readonly oldest: number;
}

/** Number of agents of one pool in one state. */
export interface CountedAgents extends PoolName {
  readonly status: string;
  readonly agents: number;
}

const OWN: PoolName = { organization: '', pool: 'installation' };
/** Pool label of workspaces in `agent` mode without a pool. */
const NOBODYS: PoolName = { organization: '', pool: 'none' };

/** Samples the state of runs and agents for metrics. All counts are bounded. */
export class ExecutionGauges {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Number of runs by status, without finished ones. */
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
