import { type Database, type Queries, sql, type Transaction } from '../../storage/index.ts';

/**
 * Who carries out runs in this installation: nobody (command lines run everything on their own side), agents that the server starts
 * itself and those of pools, or those of pools alone.
 */
export type ExecutionKind = 'none' | 'embedded' | 'agents';

/** What stays as it was where runs are carried out for the first time. */
export interface RolloutResult {
  /** Whose workspaces run where they are started, unless they say otherwise, as they did before. */
  readonly organizations: number;
  /** Workspaces that say `remote` or `agent` themselves: what command lines start there is carried out elsewhere from now on. */
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
     AND (w.settings LIKE '%"execution-mode":"remote"%' OR w.settings LIKE '%"execution-mode":"agent"%')`,
);
const enableForOrganization = sql<{ id: string }>('UPDATE organization SET executes = 1 WHERE id = :id');
const selectPool = sql<{ organizationId: string }, { id: string }>(
  'SELECT id FROM agent_pool WHERE organization_id = :organizationId LIMIT 1',
);

/**
 * Command lines carry out runs where they are started, until the server says that it can. The day it does, a workspace that has never said
 * where would wait for an agent: so organizations that were there before keep what they had, by name.
 */
export class ExecutionRollout {
  readonly #database: Database;
  readonly #kind: ExecutionKind;

  constructor(database: Database, kind: ExecutionKind) {
    this.#database = database;
    this.#kind = kind;
  }

  /** At each start, before any request. Undefined where there is nothing to say. */
  async start(): Promise<RolloutResult | undefined> {
    if (this.#kind === 'none') return undefined;
    return this.#database.transaction(async (tx) => {
      const remote = (await tx.one(countRemote, {}))?.count ?? 0;
      const organizations = (await tx.all(enableForAll, {})).length;
      return organizations === 0 ? undefined : { organizations, remote: Number(remote) };
    });
  }

  /** Told of a new organization. */
  readonly onCreated = async (tx: Transaction, id: string): Promise<void> => {
    if (this.#kind !== 'none') await tx.run(enableForOrganization, { id });
  };

  /** Whether somebody can carry out the runs of that organization. */
  readonly executes = async (organizationId: string): Promise<boolean> => {
    if (this.#kind !== 'agents') return this.#kind === 'embedded';
    return hasPool(this.#database, organizationId);
  };
}

async function hasPool(db: Queries, organizationId: string): Promise<boolean> {
  return (await db.one(selectPool, { organizationId })) !== undefined;
}
