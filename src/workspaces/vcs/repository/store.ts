import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { RowOutbox } from '../../delivery/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import type { ProviderRepository } from '../provider/port.ts';
import type { HealthReport, Repository } from './repository.ts';

const COLUMNS = `id, organization_id AS "organizationId", connection_id AS "connectionId", provider_id AS "providerId",
  identifier, display_identifier AS "displayIdentifier", http_url AS "httpUrl", git_url AS "gitUrl",
  default_branch AS "defaultBranch", is_private AS "isPrivate", health, health_reason AS "healthReason",
  health_since AS "healthSince", looked_at AS "lookedAt", described_at AS "describedAt", pulls_etag AS "pullsEtag",
  wakes, created_at AS "createdAt"`;

/** Repositories whose refs and pull requests are looked up when they are due. */
export const lookUps = new RowOutbox<Repository>({ table: 'vcs_repository', columns: COLUMNS });

const selectById = sql<{ id: string }, Repository>(`SELECT ${COLUMNS} FROM vcs_repository WHERE id = :id`);
const selectKnown = sql<{ connectionId: string; identifier: string; since: number }, Repository>(
  `SELECT ${COLUMNS} FROM vcs_repository
   WHERE connection_id = :connectionId AND identifier = :identifier AND health = 'ok' AND described_at >= :since`,
);
type Described = {
  readonly identifier: string;
  readonly displayIdentifier: string;
  readonly httpUrl: string;
  readonly gitUrl: string;
  readonly defaultBranch: string | null;
  readonly isPrivate: number;
  readonly target: string;
  readonly now: number;
};
const putRepository = sql<
  Described & {
    id: string;
    organizationId: string;
    connectionId: string;
    tokenId: string | null;
    providerId: string;
  },
  Repository
>(
  `INSERT INTO vcs_repository (id, organization_id, connection_id, oauth_token_id, provider_id, identifier,
     display_identifier, http_url, git_url, default_branch, is_private, health, health_since, described_at, created_at,
     target, due_at)
   VALUES (:id, :organizationId, :connectionId, :tokenId, :providerId, :identifier, :displayIdentifier, :httpUrl,
     :gitUrl, :defaultBranch, :isPrivate, 'ok', :now, :now, :now, :target, :now)
   ON CONFLICT (connection_id, provider_id) DO UPDATE SET identifier = :identifier,
     display_identifier = :displayIdentifier, http_url = :httpUrl, git_url = :gitUrl, default_branch = :defaultBranch,
     is_private = :isPrivate, described_at = CAST(:now AS BIGINT), target = :target,
     wakes = vcs_repository.wakes + 1, due_at = CAST(:now AS BIGINT)
   RETURNING ${COLUMNS}`,
);
const describeStatement = sql<Described & { id: string }>(
  `UPDATE vcs_repository SET identifier = :identifier, display_identifier = :displayIdentifier, http_url = :httpUrl,
     git_url = :gitUrl, default_branch = :defaultBranch, is_private = :isPrivate, described_at = CAST(:now AS BIGINT),
     target = :target
   WHERE id = :id`,
);
const wakeStatement = sql<{ id: string; now: number }>(
  'UPDATE vcs_repository SET wakes = wakes + 1, due_at = CAST(:now AS BIGINT) WHERE id = :id',
);
const scheduleStatement = sql<{ id: string; wakes: number; now: number; dueAt: number | null }>(
  `UPDATE vcs_repository SET due_at = CASE WHEN wakes > :wakes THEN CAST(:now AS BIGINT) ELSE CAST(:dueAt AS BIGINT) END
   WHERE id = :id`,
);
const healthStatement = sql<{ id: string; health: string; reason: string | null; now: number }>(
  `UPDATE vcs_repository SET health_since = CASE WHEN health = :health THEN health_since ELSE :now END,
     health = :health, health_reason = :reason WHERE id = :id`,
);
const lookedStatement = sql<{ id: string; now: number; pullsEtag: string | null }>(
  'UPDATE vcs_repository SET looked_at = CAST(:now AS BIGINT), pulls_etag = :pullsEtag WHERE id = :id',
);
const defaultBranchStatement = sql<{ id: string; defaultBranch: string | null }>(
  'UPDATE vcs_repository SET default_branch = :defaultBranch WHERE id = :id',
);
const selectIdsOfApp = sql<{ githubAppId: string; providerId: string }, { id: string }>(
  `SELECT r.id FROM github_app_installation i JOIN vcs_repository r ON r.connection_id = i.id
   WHERE i.github_app_id = :githubAppId AND r.provider_id = :providerId`,
);
const countPolled = sql<{ target: string; most: number }, { count: number }>(
  `SELECT count(*) AS count FROM (SELECT 1 FROM vcs_repository
     WHERE due_at IS NOT NULL AND target = :target LIMIT :most) polled`,
);
const removeUnused = sql<{ before: number; step: number }>(
  `DELETE FROM vcs_repository WHERE id IN (SELECT r.id FROM vcs_repository r
     WHERE r.due_at IS NULL AND r.described_at < :before
       AND NOT EXISTS (SELECT 1 FROM vcs_workspace w WHERE w.repository_id = r.id)
       AND NOT EXISTS (SELECT 1 FROM vcs_event e WHERE e.repository_id = r.id)
       AND NOT EXISTS (SELECT 1 FROM vcs_archive a WHERE a.repository_id = r.id) LIMIT :step)`,
);

export function findRepository(db: Queries, id: string): Promise<Repository | undefined> {
  return db.one(selectById, { id });
}

export async function findRepositories(db: Queries, ids: readonly string[]): Promise<Repository[]> {
  if (ids.length === 0) return [];
  return select(
    db,
    fragment<Repository>`select ${fragment.raw(COLUMNS)} from vcs_repository where ${isOneOf('id', ids)}`,
  );
}

/** Returns the repositories of some connections, by name. */
export function listRepositories(
  db: Queries,
  connectionIds: readonly string[],
  page: Page,
): Promise<Slice<Repository>> {
  const where = [isOneOf('connection_id', connectionIds)];
  return selectSlice<Repository>(
    db,
    { columns: COLUMNS, from: 'vcs_repository', where, orderBy: 'identifier, id' },
    page,
  );
}

/** Finds a healthy repository that the provider has described under this name since a time. */
export function findDescribed(db: Queries, connectionId: string, identifier: string, since: number) {
  return db.one(selectKnown, { connectionId, identifier, since });
}

/** Stores a repository, or its new description, and makes its look-up due. */
export async function upsertRepository(
  tx: Transaction,
  row: { id: string; organizationId: string; connectionId: string; tokenId: string | null },
  described: ProviderRepository,
  now: number,
): Promise<Repository> {
  const stored = await tx.one(putRepository, {
    ...row,
    providerId: described.providerId,
    ...columnsOf(described, now),
  });
  if (stored === undefined) throw new Error('the statement returned no repository');
  return stored;
}

/** Stores what the provider says of a repository now. */
export function describeRepository(tx: Transaction, id: string, described: ProviderRepository, now: number) {
  return tx.run(describeStatement, { id, ...columnsOf(described, now) });
}

function columnsOf(described: ProviderRepository, now: number): Described {
  const { identifier, displayIdentifier, httpUrl, gitUrl, defaultBranch, isPrivate } = described;
  const target = new URL(gitUrl).host;
  return { identifier, displayIdentifier, httpUrl, gitUrl, defaultBranch, isPrivate: Number(isPrivate), target, now };
}

/** Makes the next look-up due now. */
export function wakeRepository(tx: Transaction, id: string, now: number) {
  return tx.run(wakeStatement, { id, now });
}

/** Sets the next look-up. It is due now if one was requested since the row was read. */
export function scheduleLookUp(
  tx: Transaction,
  { id, wakes }: Pick<Repository, 'id' | 'wakes'>,
  now: number,
  dueAt: number | null,
) {
  return tx.run(scheduleStatement, { id, wakes, now, dueAt });
}

export function setHealth(tx: Transaction, id: string, { health, reason }: HealthReport, now: number) {
  return tx.run(healthStatement, { id, health, reason, now });
}

export function setLookedAt(tx: Transaction, id: string, pullsEtag: string | null, now: number) {
  return tx.run(lookedStatement, { id, pullsEtag, now });
}

/** Returns the ids of the repositories of a GitHub App with an id of GitHub. */
export async function repositoriesOfApp(db: Queries, githubAppId: string, providerId: string): Promise<string[]> {
  return (await db.all(selectIdsOfApp, { githubAppId, providerId })).map(({ id }) => id);
}

/** Counts the repositories at a host that are looked up at intervals, `most` at most. */
export async function countPolledAt(db: Queries, target: string, most: number): Promise<number> {
  return (await db.one(countPolled, { target, most }))?.count ?? 0;
}

/** Deletes some repositories that nothing refers to. Returns how many. */
export function removeUnusedRepositories(db: Queries, before: number, step: number) {
  return db.run(removeUnused, { before, step });
}

export function setDefaultBranch(tx: Transaction, id: string, defaultBranch: string | null) {
  return tx.run(defaultBranchStatement, { id, defaultBranch });
}
