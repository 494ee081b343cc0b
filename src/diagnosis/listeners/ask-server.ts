import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ListenerConfig } from '../../config/index.ts';
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

/**
 * Sends a request to a listener of the configuration. The certificate is not verified: the request contains no secret,
 * and another check reports a faulty certificate.
 * @throws any error of the connection
 */
export function askListener(address: string, path: string): Promise<ServerAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ServerAnswer>();
  const url = new URL(path, address);
  const options = {
    timeout: TIMEOUT_MS,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    rejectUnauthorized: false,
    agent: false as const,
  };
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (answer) => {
    const parts: Buffer[] = [];
    let size = 0;
    answer.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MAX_BYTES) answer.destroy(new Error('the response is too large'));
      else parts.push(part);
    });
    answer.once('error', reject);
    answer.once('end', () => {
      const { statusCode = 0, headers } = answer;
      resolve({ status: statusCode, date: headers.date, body: Buffer.concat(parts).toString('utf8') });
    });
  });
  request.once('error', reject);
  request.end();
  return promise;
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
