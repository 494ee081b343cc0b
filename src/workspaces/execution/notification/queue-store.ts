import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { OrderedOutbox } from '../../delivery/index.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { DestinationType, News } from './notification.ts';
import { COLUMNS, type ConfigurationRow } from './store.ts';

/** An enabled configuration. */
export interface Listening {
  readonly id: string;
  readonly destinationType: DestinationType;
  /** Triggers as JSON. */
  readonly triggers: string;
}

/** Facts about a workspace that every message needs. */
export interface Place {
  readonly workspaceName: string;
  readonly organizationName: string;
  /** Settings of the workspace. */
  readonly settings: string;
  /** Inherited mode, used if the settings have none. */
  readonly inheritedMode: string;
}

/**
 * Maximum number of messages that wait for an unavailable receiver.
 * @limit waiting notifications of one configuration, notifications -> new ones are dropped
 */
const MOST_WAITING = 200;
const HOUR = 3_600_000;
/** @limit waiting time of a notification, ms -> the notification is dropped */
const LONGEST_WAIT = 6 * HOUR;

/** Messages of each configuration, in order. */
export const messages = new OrderedOutbox<ConfigurationRow, News>({
  table: 'notification_configuration',
  columns: COLUMNS.replaceAll('c.', ''),
  where: 'enabled = 1',
  messages: { table: 'notification_delivery', row: 'configuration_id' },
  mostWaiting: MOST_WAITING,
  longestWait: LONGEST_WAIT,
});

const selectListening = sql<{ workspaceId: string }, Listening>(
  `SELECT id, destination_type AS "destinationType", triggers FROM notification_configuration
   WHERE workspace_id = :workspaceId AND enabled = 1 ORDER BY id`,
);
const selectPlace = sql<{ workspaceId: string }, Place>(
  `SELECT w.name AS "workspaceName", o.name AS "organizationName", w.settings,
     COALESCE(j.default_execution_mode, o.default_execution_mode) AS "inheritedMode"
   FROM workspace w JOIN organization o ON o.id = w.organization_id JOIN project j ON j.id = w.project_id
   WHERE w.id = :workspaceId AND ${NOT_DELETED}`,
);
const selectRunCreation = sql<{ id: string }, { createdAt: number }>(
  'SELECT created_at AS "createdAt" FROM run WHERE id = :id',
);
const selectOfWorkspace = sql<{ workspaceId: string }, { id: string }>(
  'SELECT id FROM notification_configuration WHERE workspace_id = :workspaceId AND queued > 0 ORDER BY id',
);

/** Returns the enabled configurations of a workspace with their triggers. */
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
