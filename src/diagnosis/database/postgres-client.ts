import { Client } from 'pg';
import { NotAvailable } from '../model/check.ts';
import type { Site } from '../model/site.ts';

const CONNECT_MS = 5_000;

/** How the database is reached. @throws NotAvailable where it is embedded */
export function postgresOf({ config: { storage, workers = 1 } }: Site) {
  if (storage.type !== 'postgres') throw new NotAvailable('the database is embedded');
  return { ...storage, workers };
}

/** A connection of its own, which sees what a fresh one is given. It is closed when the time is up, too. */
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

/** Whatever state it is in. */
export async function end(client: Client): Promise<void> {
  await client.end().catch(() => {});
}

/** Those that were tried in vain: nobody waits for them a second time. */
const away = new WeakSet<Site>();

/** @throws why it cannot be reached */
export async function firstConnection(site: Site, signal: AbortSignal): Promise<Client> {
  try {
    return await connect(postgresOf(site).url, signal);
  } catch (error) {
    away.add(site);
    throw error;
  }
}

/** @throws NotAvailable where it cannot be reached: the check `connection` says why */
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

/** The first row. */
export async function row<R extends object>(client: Client, text: string, values: unknown[] = []): Promise<R> {
  return (await client.query<R>(text, values)).rows[0] as R;
}
