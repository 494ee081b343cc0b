import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeProvider } from './fake-github.ts';

/** A fake of GitHub under the paths of GitHub Enterprise, which serves its API below `/api/v3`. */
export interface FakeEnterprise {
  readonly httpUrl: string;
  stop(): void;
}

export async function startFakeEnterprise(github: FakeProvider): Promise<FakeEnterprise> {
  const server = createServer((incoming, response) => {
    const url = new URL((incoming.url ?? '').replace('/api/v3', ''), github.server.address);
    const outgoing = request(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { httpUrl: `http://127.0.0.1:${port}`, stop: () => void server.close() };
}
