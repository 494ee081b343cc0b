/**
 * Reference servers, as a process. Prints its port.
 *
 *     bare.ts tls FOLDER           handshakes; one byte after each
 *     bare.ts https FOLDER FILE    reads the client's certificate and the body, answers the bytes of the file
 *     bare.ts http FILE            answers the bytes of the file
 */
import { constants } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';

const [kind, path = '', file = ''] = process.argv.slice(2);

/** Handshakes like our server: requests a client certificate, verifies nothing, issues no tickets. */
function tlsOptions() {
  const read = (name: string) => readFileSync(join(path, name), 'utf8');
  const secureOptions = constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION;
  const identity = { cert: read('server.pem'), key: read('server.key') };
  return { ...identity, requestCert: true, rejectUnauthorized: false, ca: [], secureOptions };
}

function bareTls(): Server {
  return createTlsServer(tlsOptions(), (socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('.');
  });
}

function answering(file: string, type: string): (request: IncomingMessage, response: ServerResponse) => void {
  const bytes = readFileSync(file);
  const headers = { 'content-type': type, 'content-length': bytes.length };
  return (request, response) => {
    request.resume();
    response.writeHead(200, headers).end(bytes);
  };
}

function bareHttps(): Server {
  const answer = answering(file, 'application/json');
  return createHttpsServer(tlsOptions(), (request, response) => {
    const certificate = (request.socket as TLSSocket).getPeerX509Certificate();
    if (!certificate?.raw.length) throw new Error('no certificate');
    answer(request, response);
  });
}

const servers: Readonly<Record<string, () => Server>> = {
  tls: bareTls,
  https: bareHttps,
  http: () => createHttpServer(answering(path, 'application/vnd.api+json')),
};
const server = servers[kind ?? '']?.();
if (!server) throw new Error(`no such reference: ${kind}`);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.once('SIGTERM', () => process.exit(0));
