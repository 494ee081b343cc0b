import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import type { IngressAttributes } from '../../vcs/index.ts';
import type { Ingress } from './ingress.ts';

interface Row {
  readonly id: string;
  readonly configurationVersionId: string;
  readonly attributes: string;
}

const COLUMNS = 'i.id, i.configuration_version_id AS "configurationVersionId", i.attributes';

const insertStatement = sql<{ id: string; configurationVersionId: string; attributes: string }>(
  `INSERT INTO ingress_attributes (id, configuration_version_id, attributes)
   VALUES (:id, :configurationVersionId, :attributes)`,
);
const selectById = sql<{ id: string }, Row>(`SELECT ${COLUMNS} FROM ingress_attributes i WHERE i.id = :id`);

function ingressOf({ attributes, ...row }: Row): Ingress {
  return { ...(JSON.parse(attributes) as IngressAttributes), ...row };
}

export function insertIngress(db: Queries, { id, configurationVersionId, ...attributes }: Ingress) {
  return db.run(insertStatement, { id, configurationVersionId, attributes: JSON.stringify(attributes) });
}

/** Finds the origin with this id. Returns undefined if there is none. */
export async function findIngress(db: Queries, id: string): Promise<Ingress | undefined> {
  const row = await db.one(selectById, { id });
  return row && ingressOf(row);
}

/** Returns the origins of those configuration versions that have one, by their ids. */
export async function ingressesOf(db: Queries, versionIds: readonly string[]): Promise<ReadonlyMap<string, Ingress>> {
  if (versionIds.length === 0) return new Map();
  const query = fragment<Row>`select ${fragment.raw(COLUMNS)} from ingress_attributes i
    where ${isOneOf('i.configuration_version_id', versionIds)}`;
  return new Map((await select(db, query)).map((row) => [row.configurationVersionId, ingressOf(row)]));
}

/** Returns the origins of the configuration versions of runs, by the ids of the runs. */
export async function ingressesOfRuns(db: Queries, runIds: readonly string[]): Promise<ReadonlyMap<string, Ingress>> {
  if (runIds.length === 0) return new Map();
  const query = fragment<Row & { runId: string }>`select r.id as "runId", ${fragment.raw(COLUMNS)}
    from run r join ingress_attributes i on i.configuration_version_id = r.configuration_version_id
    where ${isOneOf('r.id', runIds)}`;
  return new Map((await select(db, query)).map(({ runId, ...row }) => [runId, ingressOf(row)]));
}
