import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import type { Requester, RequesterPart } from './requester.ts';

interface Row {
  readonly runId: string;
  readonly part: RequesterPart;
  readonly type: Requester['type'];
  readonly id: string;
  readonly members: string | null;
}

const insertOne = sql<Row & Record<string, string | null>>(
  `INSERT INTO run_requester (run_id, part, type, id, members) VALUES (:runId, :part, :type, :id, :members)
   ON CONFLICT DO NOTHING`,
);
const removeAll = sql<{ runId: string }>('DELETE FROM run_requester WHERE run_id = :runId');

/** Stores a requester. One who is stored for the same act keeps the members of that time. */
export function insertRequester(tx: Transaction, runId: string, { members, ...requester }: Requester) {
  return tx.run(insertOne, { runId, ...requester, members: members && JSON.stringify(members) });
}

/** Returns the stored requesters of these runs, by run id. */
export async function requestersOfRuns(
  db: Queries,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, Requester[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await select(
    db,
    fragment<Row>`select run_id as "runId", part, type, id, members from run_requester
      where ${isOneOf('run_id', runIds)} order by part, type, id`,
  );
  const found = Map.groupBy(rows, ({ runId }) => runId);
  return new Map([...found].map(([runId, some]) => [runId, some.map(requesterOf)]));
}

/** Deletes the requesters of a run that is over. */
export function removeRequesters(tx: Transaction, runId: string) {
  return tx.run(removeAll, { runId });
}

function requesterOf({ part, type, id, members }: Row): Requester {
  return { part, type, id, members: members === null ? null : (JSON.parse(members) as string[]) };
}
