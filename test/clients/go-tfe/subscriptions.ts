import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Serving } from '../support/serving.ts';

export interface Subscriptions {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Replaces the subscription service of HCP Terraform, where go-tfe's tests subscribe each organization to a plan.
 * Lockkeeper has no plans, so this proxy answers subscription requests with success, and forwards all others unchanged.
 */
export async function startSubscriptions({ address, caFile }: Serving): Promise<Subscriptions> {
  const ca = readFileSync(caFile);
  const server = createServer((incoming, outgoing) => {
    const { method, url = '' } = incoming;
    const answer = SUBSCRIBING.find(([verb, path]) => verb === method && path.test(url));
    if (answer) outgoing.writeHead(200, { 'content-type': 'application/vnd.api+json' }).end(answer[2]);
    else passOn(new URL(url, address), ca, incoming, outgoing).catch((error: Error) => outgoing.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const SUBSCRIBING: readonly (readonly [string, RegExp, string])[] = [
  ['GET', /^\/api\/v2\/admin\/feature-sets\?/, '{"data":[{"id":"fs-everything","type":"feature-sets"}]}'],
  ['POST', /^\/api\/v2\/admin\/organizations\/[^/]+\/subscription$/, '{"data":null}'],
];

async function passOn(url: URL, ca: Buffer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method, headers } = incoming;
  const onward = request(url, { method: method ?? 'GET', ca, headers: { ...headers, host: url.host } });
  const answered = once(onward, 'response');
  await pipeline(incoming, onward);
  const [answer]: IncomingMessage[] = await answered;
  if (!answer) throw new Error('no answer');
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  await pipeline(answer, outgoing);
}
