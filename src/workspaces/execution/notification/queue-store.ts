import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { OrderedOutbox, type OrderedTables } from '../../delivery/index.ts';
import { EXECUTION, notDeleted } from '../../workspace/index.ts';
import type { DestinationType, Owner, StoredMessage } from './notification.ts';
import { COLUMNS, type ConfigurationRow, type NamedRow } from './store.ts';

/** An enabled configuration that applies to a workspace. */
export interface Listening extends Pick<Owner, 'organizationId' | 'teamId'> {
  readonly id: string;
  readonly destinationType: DestinationType;
  /** Triggers as JSON. */
  readonly triggers: string;
  /** Encrypted URL. */
  readonly url: Uint8Array;
  /** IDs as JSON. */
  readonly emailUsers: string;
  /** Addresses as JSON. */
  readonly emailAddresses: string;
}

/** Facts about a workspace that every message needs. */
export interface Place {
  readonly workspaceName: string;
  readonly organizationName: string;
  /** Mode of the workspace, its own or inherited. */
  readonly executionMode: string;
}

/**
 * Maximum number of messages that wait for an unavailable receiver.
 * @limit waiting notifications of one configuration, notifications -> new ones are dropped
 */
const MOST_WAITING = 200;
const HOUR = 3_600_000;
/** @limit waiting time of a notification, ms -> the notification is dropped */
const LONGEST_WAIT = 6 * HOUR;

const tables: OrderedTables = {
  table: 'notification_configuration',
  columns: COLUMNS.replaceAll('c.', ''),
  where: 'enabled = 1',
  messages: { table: 'notification_delivery', row: 'configuration_id' },
  mostWaiting: MOST_WAITING,
  longestWait: LONGEST_WAIT,
};
/** Messages of each configuration, in order. Its queue sends those to URLs. */
export const messages = new OrderedOutbox<ConfigurationRow, StoredMessage>({
  ...tables,
  part: `d.destination_type <> 'email'`,
});
/**
 * The messages that are emails. They have a queue of their own, because all of them go to one SMTP server: organizations
 * take turns, and a server that hangs delays no message to a URL.
 */
export const emails = new OrderedOutbox<ConfigurationRow, StoredMessage>({
  ...tables,
  ...{ part: `d.destination_type = 'email'`, isFair: true, inARow: 1 },
});

/**
 * Maximum number of configurations of all scopes that get one event. The nearest scopes come first.
 * @limit notification configurations that one event reaches, configurations -> the furthest scopes get nothing
 */
const MOST_LISTENING = 200;

/**
 * Configurations of a workspace and of what it belongs to, nearest scope first: workspace, project, teams with access to
 * the workspace or its project, organization. Each part uses an index, so other workspaces cost nothing.
 */
const scopesOf = (columns: string, scopes: readonly string[]) =>
  scopes.map((scope, rank) => `SELECT ${columns}, ${rank} AS rank ${scope}`).join(' UNION ALL ');
const OF_WORKSPACE = 'FROM notification_configuration c WHERE c.workspace_id = :workspaceId';
/**
 * Condition on a grant of a team: its members may read runs of the workspace, as in messages about them.
 * @param grant alias of `team_workspace` or `team_project`
 */
export const readsRuns = (grant: string): string => `${grant}.runs <> 'none'`;
const INHERITED = [
  `FROM workspace w JOIN notification_configuration c ON c.project_id = w.project_id WHERE w.id = :workspaceId`,
  `FROM notification_configuration c WHERE c.team_id IN (
     SELECT tw.team_id FROM team_workspace tw WHERE tw.workspace_id = :workspaceId AND ${readsRuns('tw')}
     UNION SELECT tp.team_id FROM workspace w JOIN team_project tp ON tp.project_id = w.project_id AND ${readsRuns('tp')}
       WHERE w.id = :workspaceId)`,
  `FROM workspace w JOIN notification_configuration c ON c.organization_id = w.organization_id
     AND c.workspace_id IS NULL AND c.project_id IS NULL AND c.team_id IS NULL WHERE w.id = :workspaceId`,
];
const enabled = (scope: string) => `${scope} AND c.enabled = 1`;

const selectListening = sql<{ workspaceId: string }, Listening>(
  `SELECT * FROM (${scopesOf(
    `c.id, c.organization_id AS "organizationId", c.team_id AS "teamId", c.destination_type AS "destinationType",
     c.triggers, c.url, c.email_users AS "emailUsers", c.email_addresses AS "emailAddresses"`,
    [OF_WORKSPACE, ...INHERITED].map(enabled),
  )}) scoped ORDER BY rank, id LIMIT ${MOST_LISTENING}`,
);
const selectInherited = sql<{ workspaceId: string }, NamedRow>(
  `SELECT scoped.*, o.name AS "organizationName" FROM (${scopesOf(COLUMNS, INHERITED)}) scoped
   JOIN organization o ON o.id = scoped."organizationId" ORDER BY rank, id LIMIT ${MOST_LISTENING}`,
);
const updateContent = sql<{ id: string; content: string }>(
  'UPDATE notification_delivery SET content = :content WHERE id = :id',
);
const selectPlace = sql<{ workspaceId: string }, Place>(
  `SELECT x.name AS "workspaceName", o.name AS "organizationName", x.execution_mode AS "executionMode"
   FROM ${EXECUTION} JOIN organization o ON o.id = x.organization_id
   WHERE x.id = :workspaceId AND ${notDeleted('x')}`,
);
const selectRunCreation = sql<{ id: string }, { createdAt: number }>(
  'SELECT created_at AS "createdAt" FROM run WHERE id = :id',
);
const selectOfWorkspace = sql<{ workspaceId: string }, { id: string }>(
  'SELECT id FROM notification_configuration WHERE workspace_id = :workspaceId AND queued > 0 ORDER BY id',
);

/** Replaces a waiting message, for example by one to fewer recipients. */
export function replaceContent(tx: Transaction, messageId: string, content: StoredMessage) {
  return tx.run(updateContent, { id: messageId, content: JSON.stringify(content) });
}

/** Returns the configurations of the project, the teams and the organization of a workspace, nearest scope first. */
export function listInherited(db: Queries, workspaceId: string) {
  return db.all(selectInherited, { workspaceId });
}

/** Returns the enabled configurations that apply to a workspace, nearest scope first. */
export function listeningConfigurations(db: Queries, workspaceId: string) {
  return db.all(selectListening, { workspaceId });
}

/** Returns the names of a workspace's organization and project; undefined if the workspace does not exist. */
export function workspaceNames(db: Queries, workspaceId: string) {
  return db.one(selectPlace, { workspaceId });
}

/** Returns the creation time of a run, milliseconds since 1970; undefined if the run was deleted. */
export async function runCreation(db: Queries, id: string): Promise<number | undefined> {
  return (await db.one(selectRunCreation, { id }))?.createdAt;
}

/** Drops the messages of all configurations of a workspace. */
export async function clearWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  for (const { id } of await tx.all(selectOfWorkspace, { workspaceId })) await messages.clear(tx, id);
}
