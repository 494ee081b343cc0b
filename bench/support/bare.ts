/** The references, run as a process: `bare.ts tls DIRECTORY` or `bare.ts http FILE`. Prints its port. */
import { constants } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

const [kind, path = ''] = process.argv.slice(2);

/** The same handshake as ours: a client certificate is asked for, nothing is verified, no tickets. */
function bareTls(): Server {
  const read = (name: string) => readFileSync(join(path, name), 'utf8');
  const secureOptions = constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION;
  const options = { cert: read('server.pem'), key: read('server.key'), requestCert: true, rejectUnauthorized: false };
  return createTlsServer({ ...options, ca: [], secureOptions }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('.');
  });
}

function bareHttp(): Server {
  const bytes = readFileSync(path);
  const headers = { 'content-type': 'application/vnd.api+json', 'content-length': bytes.length };
  return createHttpServer((_request, response) => {
    response.writeHead(200, headers).end(bytes);
  });
}

const server = kind === 'tls' ? bareTls() : bareHttp();
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.once('SIGTERM', () => process.exit(0));
