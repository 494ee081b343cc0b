import { type Database, type Queries, sql, type Transaction } from '../../storage/index.ts';

/**
 * Which agents execute runs on this server: none (`tofu` and `terraform` execute everything locally), the server's own
 * agents and those of pools, or those of pools only.
 */
export type ExecutionKind = 'none' | 'embedded' | 'agents';

/** Result of the first start with remote execution. */
export interface RolloutResult {
  /**
   * Number of organizations that existed before. Their default execution mode changes from `remote` to `local`, so
   * that their runs still execute locally.
   */
  readonly organizations: number;
  /** Number of workspaces with their own execution mode `remote` or `agent`. From now on their runs execute on agents. */
  readonly remote: number;
}

const enableForAll = sql<Record<string, never>, { id: string }>(
  `UPDATE organization SET executes = 1,
     default_execution_mode = CASE default_execution_mode WHEN 'remote' THEN 'local' ELSE default_execution_mode END
   WHERE executes = 0 RETURNING id`,
);
const countRemote = sql<Record<string, never>, { count: number }>(
  `SELECT count(*) AS count FROM workspace w JOIN organization o ON o.id = w.organization_id
   WHERE o.executes = 0
     AND w.execution_mode IN ('remote', 'agent')`,
);
const enableForOrganization = sql<{ id: string }>('UPDATE organization SET executes = 1 WHERE id = :id');
const selectPool = sql<{ organizationId: string }, { id: string }>(
  'SELECT id FROM agent_pool WHERE organization_id = :organizationId LIMIT 1',
);

/**
 * Keeps existing organizations on local execution when an operator turns on remote execution. Before that, `tofu` and
 * `terraform` executed everything locally. Workspaces without an explicit mode would otherwise wait for an agent.
 */
export class ExecutionRollout {
  readonly #database: Database;
  readonly #kind: ExecutionKind;

  constructor(database: Database, kind: ExecutionKind) {
    this.#database = database;
    this.#kind = kind;
  }

  /**
   * Changes the modes if needed. Call it at each start, before any request. Returns undefined if there is nothing to
   * report.
   */
  async start(): Promise<RolloutResult | undefined> {
    if (this.#kind === 'none') return undefined;
    return this.#database.transaction(async (tx) => {
      const remote = (await tx.one(countRemote, {}))?.count ?? 0;
      const organizations = (await tx.all(enableForAll, {})).length;
      return organizations === 0 ? undefined : { organizations, remote: Number(remote) };
    });
  }

  /** Called for each new organization. Enables runs in it, unless no agents execute runs on this server. */
  readonly onCreated = async (tx: Transaction, id: string): Promise<void> => {
    if (this.#kind !== 'none') await tx.run(enableForOrganization, { id });
  };

  /** Returns whether any agent can execute the runs of that organization. */
  readonly executes = async (organizationId: string): Promise<boolean> => {
    if (this.#kind !== 'agents') return this.#kind === 'embedded';
    return hasPool(this.#database, organizationId);
  };
}

async function hasPool(db: Queries, organizationId: string): Promise<boolean> {
  return (await db.one(selectPool, { organizationId })) !== undefined;
}
