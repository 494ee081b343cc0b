import { type Queries, sql } from '../../../../storage/index.ts';

/** Inputs of a plan that its run does not store. */
export interface Planned {
  /** The keys of the variables with their category, `terraform/region`: sorted, without duplicates. */
  readonly variables: readonly string[];
  /** Id of the state version that was current; null if there was none. */
  readonly stateVersionId: string | null;
  readonly workspaceName: string;
  readonly workingDirectory: string;
}

const upsert = sql<{ runId: string; facts: string }>(
  `INSERT INTO run_planned (run_id, facts) VALUES (:runId, :facts)
   ON CONFLICT (run_id) DO UPDATE SET facts = excluded.facts`,
);
const selectFacts = sql<{ runId: string }, { facts: string }>('SELECT facts FROM run_planned WHERE run_id = :runId');

/** Stores the inputs of a plan. Replaces those of an earlier try of the same plan. */
export function notePlanned(db: Queries, runId: string, planned: Planned) {
  return db.run(upsert, { runId, facts: JSON.stringify(planned) });
}

/** Returns the inputs of a plan; undefined for a run whose plan started before inputs were stored. */
export async function plannedOf(db: Queries, runId: string): Promise<Planned | undefined> {
  const row = await db.one(selectFacts, { runId });
  return row && (JSON.parse(row.facts) as Planned);
}
