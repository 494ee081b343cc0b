import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gitEnvironment } from './demo-repository.ts';

/** Git server of a demo. */
export interface DemoGitServer {
  readonly port: number;
  stop(): Promise<void>;
}

export const HOST = '127.0.0.1';
const SERVICE = 'git-upload-pack';
const TYPE = 'application/x-git-upload-pack';

/**
 * Serves one repository over HTTP on loopback, for reading only. Otherwise all users of this machine could push code,
 * which the demo's agent runs. The owner pushes to the folder.
 * @param name path of the repository in URLs, such as `demo/a.git`
 * @param port port of the last start, which the connection of the demo names, or 0
 * @throws Error for a port in use
 */
export async function startDemoGitServer(bare: string, name: string, port: number): Promise<DemoGitServer> {
  const server = createServer((request, response) => answer(bare, name, request, response));
  server.listen(port, HOST);
  // A start that fails ends the process.
  server.unref();
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

/** Answers the two requests of Git's smart protocol over HTTP. @see https://git-scm.com/docs/http-protocol */
function answer(bare: string, name: string, request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url = '' } = request;
  if (method === 'GET' && url === `/${name}/info/refs?service=${SERVICE}`) {
    response.setHeader('content-type', `${TYPE}-advertisement`);
    uploadPack(['--http-backend-info-refs', bare], request, response);
  } else if (method === 'POST' && url === `/${name}/${SERVICE}`) {
    response.setHeader('content-type', `${TYPE}-result`);
    uploadPack([bare], request, response);
  } else response.writeHead(404).end();
}

function uploadPack(args: readonly string[], request: IncomingMessage, response: ServerResponse): void {
  const version = String(request.headers['git-protocol'] ?? '');
  const program = spawn('git', ['upload-pack', '--strict', '--stateless-rpc', ...args], {
    env: { ...gitEnvironment(), GIT_PROTOCOL: version },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  program.on('error', () => response.destroy());
  program.stdin.on('error', () => {});
  request.pipe(program.stdin);
  program.stdout.pipe(response);
  response.on('close', () => program.kill());
}
