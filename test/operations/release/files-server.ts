import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** Serves the files of a folder, as a web server with releases does. */
export async function serveFolder(folder: string): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer((request, response) => {
    const file = join(folder, basename(request.url ?? ''));
    if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.closeAllConnections() ?? server.close() };
}
