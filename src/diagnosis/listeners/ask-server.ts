import type { ListenerConfig } from '../../config/index.ts';
import { HttpClient } from '../../lib/http/http-client.ts';
import type { SeenListener } from '../model/site.ts';

const TIMEOUT_MS = 4_000;
/** @limit the response of a server to `lockkeeper diagnose`, bytes -> the server counts as unreachable */
const MAX_BYTES = 33_554_432;
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** A response of a server on this machine. */
export interface ServerAnswer {
  readonly status: number;
  readonly date: string | undefined;
  readonly body: string;
}

/** Returns a URL such as `https://127.0.0.1:8200`; undefined if the system chooses the port. */
export function addressOf({ host, port, tls }: ListenerConfig): string | undefined {
  if (port === 0) return undefined;
  const name = ANY[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}

/** Does not verify certificates: requests contain no secret, and another check reports a faulty certificate. */
const client = new HttpClient({ connections: 'new', tls: { rejectUnauthorized: false } });

/**
 * Sends a request to a listener of the configuration.
 * @throws FetchError
 */
export async function askListener(address: string, path: string): Promise<ServerAnswer> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const response = await client.send(new URL(path, address), { limits });
  const body = (await response.bytes()).toString('utf8');
  return { status: response.status, date: response.headers.date, body };
}

/** Returns the listeners at which a Lockkeeper server responds. */
export async function seeListeners(listeners: readonly ListenerConfig[]): Promise<SeenListener[]> {
  const seen = listeners.map(async (listener) => {
    const address = addressOf(listener);
    return address === undefined ? undefined : seeListener(address).catch(() => undefined);
  });
  return (await Promise.all(seen)).filter((one) => one !== undefined);
}

async function seeListener(address: string): Promise<SeenListener> {
  const { date, body } = await askListener(address, '/healthz/ready');
  const { ready, checks } = JSON.parse(body) as {
    ready: boolean;
    checks: { name: string; ok: boolean; reason?: string }[];
  };
  const failing = checks.filter(({ ok }) => !ok).map(({ name, reason }) => (reason ? `${name} (${reason})` : name));
  const time = Date.parse(date ?? '');
  return { address, ready, failing, date: Number.isNaN(time) ? undefined : time, at: Date.now() };
}
