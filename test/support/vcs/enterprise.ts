import { once } from 'node:events';
import { createServer, request as requestTo, type Server } from 'node:http';
import type { FakeProvider } from './fake-github.ts';

/** Starts a proxy before a fake GitHub: GitHub Enterprise serves its API below `/api/v3`, and the fake does not. */
export async function enterprise(github: FakeProvider): Promise<Server> {
  const server = createServer((incoming, response) => {
    const url = new URL((incoming.url ?? '').replace('/api/v3', ''), github.server.address);
    const outgoing = requestTo(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
