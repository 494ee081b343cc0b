import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createRoot } from './pki.ts';

/** A received request. */
export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Exact bytes. */
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  readonly body: any;
}

/** Receiver of notifications: an HTTPS server on loopback. */
export interface Receiver {
  /** `https://127.0.0.1:40123` */
  readonly address: string;
  readonly port: number;
  /** PEM of the CA of its certificate. */
  readonly ca: string;
  /** File with the PEM of its CA. */
  readonly caFile: string;
  /** Requests in order of arrival. */
  readonly received: Received[];
  /** Sets the response to further requests; default: 200 and a short text. */
  answer: (received: Received, response: ServerResponse) => void;
  /** Returns the requests of a path. */
  at(path: string): Received[];
  stop(): Promise<void>;
}

const OK: Receiver['answer'] = (_received, response) => void response.end('ok');
const authority = createRoot({ subject: 'Receivers' });

export async function startReceiver(): Promise<Receiver> {
  const certificate = authority.issue({
    ...{ subject: 'localhost', dns: ['localhost'], ips: ['127.0.0.1'] },
    extendedKeyUsage: ['serverAuth'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-receiver-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.pem);
  const received: Received[] = [];
  const server = createServer({ cert: certificate.pem, key: certificate.keyPem });
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const bytes = await buffer(request).catch(() => undefined);
    if (bytes === undefined) return;
    const { url: path = '', method = '', headers } = request;
    const message = { path, method, headers, bytes, body: JSON.parse(bytes.toString()) };
    received.push(message);
    receiver.answer(message, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    ...{ address: `https://127.0.0.1:${port}`, port, ca: authority.pem, caFile, received, answer: OK },
    at: (path) => received.filter((message) => message.path === path),
    stop: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
  return receiver;
}
