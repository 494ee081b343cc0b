import { Client } from 'pg';
import { NotAvailable } from '../model/check.ts';
import type { Site } from '../model/site.ts';

const CONNECT_MS = 5_000;

/**
 * Returns the connection settings.
 * @throws NotAvailable if the database is embedded
 */
export function postgresOf({ config: { storage, workers = 1 } }: Site) {
  if (storage.type !== 'postgres') throw new NotAvailable('the database is embedded');
  return { ...storage, workers };
}

/**
 * Opens a connection outside of the pool, which has the settings of a new session. The connection is closed at the
 * deadline too.
 */
export async function connect(url: string, signal: AbortSignal): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'lockkeeper diagnose',
  });
  client.on('error', () => {});
  signal.addEventListener('abort', () => void end(client), { once: true });
  await client.connect();
  return client;
}

/** Closes a connection in any state. */
export async function end(client: Client): Promise<void> {
  await client.end().catch(() => {});
}

/** Sites whose database could not be reached; further checks do not wait for it again. */
const away = new WeakSet<Site>();

/** @throws the error of the connection */
export async function firstConnection(site: Site, signal: AbortSignal): Promise<Client> {
  try {
    return await connect(postgresOf(site).url, signal);
  } catch (error) {
    away.add(site);
    throw error;
  }
}

/** @throws NotAvailable if the database cannot be reached; the check `connection` reports the reason */
export async function withClient<T>(site: Site, signal: AbortSignal, use: (client: Client) => Promise<T>): Promise<T> {
  const { url } = postgresOf(site);
  const client = away.has(site) ? undefined : await connect(url, signal).catch(() => undefined);
  if (client === undefined) throw new NotAvailable('the database cannot be reached');
  try {
    return await use(client);
  } finally {
    await end(client);
  }
}

/** Returns the first row. */
export async function row<R extends object>(client: Client, text: string, values: unknown[] = []): Promise<R> {
  return (await client.query<R>(text, values)).rows[0] as R;
}
