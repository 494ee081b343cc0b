import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import type { Entry } from '../../delivery/index.ts';
import type { Organizations } from '../../tenancy/index.ts';
import type { Connections } from '../connection/access.ts';
import type { VcsHooks } from '../hooks/hooks.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { findProviderKind } from '../provider/providers.ts';
import type { ReportPlace } from './facts-store.ts';
import type { ReportTarget, Store } from './sending.ts';
import { type ReportRow, storeItem } from './store.ts';

/** Work of one report. */
export interface ReportWork {
  /** Sends what the provider does not show yet. @returns when to look again */
  send(signal: AbortSignal): Promise<Progress>;
  /** Time of the newest event, milliseconds since 1970. */
  readonly since: number;
  readonly connectionId: string;
}

/** End of a report's work. */
export interface Progress {
  readonly dueAt: number | null;
  readonly problem: string | null;
}

/** A claimed report. */
export type ReportEntry = Entry<ReportRow>;

export interface ReportWorkOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Pick<Organizations, 'settingsOf'>;
  readonly connections: Pick<Connections, 'find' | 'access' | 'checkSoon'>;
  readonly hooks: Pick<VcsHooks, 'runResults'>;
  /** Public URL of this server, if it is configured: `https://lock.example`. */
  readonly address: string | undefined;
}

/**
 * Returns how to reach the provider of a repository; undefined if the provider shows no results.
 * @throws ProviderError if the connection cannot be used
 */
export async function targetOf(
  { connections, database }: ReportWorkOptions,
  { connectionId, providerId, identifier }: ReportPlace,
): Promise<ReportTarget | undefined> {
  const connection = await connections.find(database, connectionId);
  if (connection === undefined) throw new ProviderError('forbidden', 'The connection was deleted');
  if (findProviderKind(connection.serviceProvider, 'token')?.provider.reports === undefined) return undefined;
  if (connection.status !== 'ok') {
    throw new ProviderError('forbidden', `The connection is ${connection.status}, so it reports no results. Check it`);
  }
  const access = await connections.access(connection, { purpose: 'report', repositoryIds: [providerId] });
  const reports = findProviderKind(connection.serviceProvider, access.credential.kind)?.provider.reports;
  return reports && { reports, access, repository: { providerId, identifier } };
}

/** Returns the function that stores what was sent of a report. */
export function storing({ clock, database }: ReportWorkOptions, { id, claim }: ReportEntry): Store {
  return (item) => database.transaction((tx) => storeItem(tx, { id, claim }, item, clock()));
}
