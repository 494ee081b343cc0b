import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { call } from '../../../support/http.ts';
import { createRoot } from '../../../support/pki.ts';

/** A webhook delivery on its way to the server. */
export interface Passing {
  /** Event of Gitea, such as `push`. */
  readonly event: string;
  /** Time of its arrival, milliseconds of `performance.now()`. */
  readonly at: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly body: any;
}

/** A request that is not forwarded yet. */
interface Held {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Proxy in front of the server: providers deliver to it. It can lose and hold deliveries. */
export interface Front {
  /** `https://127.0.0.1:40123`, the public URL of the server */
  readonly address: string;
  /** File with the PEM of its CA. */
  readonly caFile: string;
  /** Deliveries in order of their arrival. */
  readonly passed: Passing[];
  /** The server behind it. */
  target: { readonly address: string; readonly ca: string } | undefined;
  /** loses: the sender gets 502, and the server nothing. holds: deliveries wait for `release`. */
  mode: 'forwards' | 'loses' | 'holds';
  /** Deliveries that were not forwarded. */
  readonly stopped: Passing[];
  /** Forwards held deliveries and all further ones. */
  release(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFront(): Promise<Front> {
  const authority = createRoot({ subject: 'Front' });
  const certificate = authority.issue({
    ...{ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] },
  });
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-front-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.pem);
  const server = createServer({ cert: certificate.pem, key: certificate.keyPem });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    pass(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const held: Held[] = [];
  const front: Front = {
    address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ caFile, passed: [], stopped: [], target: undefined, mode: 'forwards' },
    release: async () => {
      front.mode = 'forwards';
      for (const request of held.splice(0)) await forward(request);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
  return front;

  /** Returns the status of the response. */
  async function pass(request: IncomingMessage): Promise<number> {
    const at = performance.now();
    const body = await buffer(request);
    const { host: _, connection: __, ...headers } = request.headers;
    const delivery = { event: String(headers['x-gitea-event']), at, body: JSON.parse(body.toString()) };
    if (front.mode !== 'forwards') front.stopped.push(delivery);
    if (front.mode === 'loses') return 502;
    const { method = '', url: path = '' } = request;
    if (front.mode === 'holds') return held.push({ method, path, headers, body }) && 202;
    front.passed.push(delivery);
    return forward({ method, path, headers, body });
  }

  async function forward({ method, path, ...rest }: Held): Promise<number> {
    if (front.target === undefined) return 502;
    return (await call(front.target, method, path, rest)).status;
  }
}
