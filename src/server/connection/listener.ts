import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { withinBlocks } from '../../lib/cidr.ts';
import { type ReportRefusal, refuse } from '../http1/client-error.ts';
import { superviseHttp1 } from '../http1/list-method.ts';
import { adjustCount, network } from '../peer/client-network.ts';
import type { ForwardedOptions } from '../peer/forwarded-certificates.ts';
import { rememberPeer } from '../peer/peer.ts';
import type { PeerBudget } from '../peer/peer-budget.ts';
import { Connections } from './drain.ts';
import { type Limits, limitHttp1, limitHttp2 } from './listener-limits.ts';
import { stopListening } from './stop-listening.ts';

export interface TlsOptions {
  /** PEM; the server's certificate and the intermediates above it. */
  readonly certificate: string;
  /** PEM. */
  readonly privateKey: string;
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
}

export interface ListenerOptions {
  /** In logs and metrics. */
  readonly name: string;
  readonly address: { readonly host: string; readonly port: number };
  /** Without it: plain HTTP/1.1, for a proxy in front. */
  readonly tls?: TlsOptions;
  /** Ask TLS clients for a certificate. None is demanded and none is verified here: that is for who reads it. */
  readonly requestClientCertificate: boolean;
  /** Proxies that may speak for their clients. Absent: none. */
  readonly forwarded?: ForwardedOptions;
  readonly limits: Limits;
}

export interface ListenerEvents {
  connections(change: 1 | -1): void;
  handshakeFailed(error: Error): void;
  /** A connection could not be accepted, for want of file descriptors for example. */
  acceptFailed(error: Error): void;
  readonly refused: ReportRefusal;
}

/** How often a draining listener looks for connections that have become idle. */
const SWEEP_MS = 100;

/** One address on which HTTP is spoken: 1.1 and 2 over TLS on one port, or plain 1.1. */
export class Listener {
  readonly server: Server | Http2SecureServer;
  readonly #options: ListenerOptions;
  readonly #events: ListenerEvents;
  readonly #connections: Connections;
  /** Open connections of each address. */
  readonly #addresses = new Map<string, number>();

  constructor(options: ListenerOptions, budget: PeerBudget, events: ListenerEvents) {
    this.#options = options;
    this.#events = events;
    this.server = options.tls ? secureServer(options, options.tls) : createServer();
    const { server } = this;
    this.#connections = new Connections(server);
    limitHttp1(server, options.limits);
    server.on('connection', (socket: Socket) => {
      if (!this.#connections.track(socket)) return;
      this.#countAddress(socket);
      events.connections(1);
      socket.once('close', () => events.connections(-1));
    });
    server.on(options.tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#connections.track(socket);
      rememberPeer(socket, budget);
    });
    server.on('tlsClientError', (error: Error) => events.handshakeFailed(error));
    superviseHttp1(server, (error, socket) => refuse(error, socket, events.refused));
  }

  /** @throws what `net.Server#listen` reports: EADDRINUSE, EACCES … */
  async listen(): Promise<AddressInfo> {
    this.server.listen(this.#options.address);
    await once(this.server, 'listening');
    this.server.on('error', (error: Error) => this.#events.acceptFailed(error));
    return this.server.address() as AddressInfo;
  }

  /**
   * New connections get the new certificate; those that are open keep theirs.
   * @throws when certificate and key do not fit together; the old ones stay
   */
  reloadTls(tls: TlsOptions): void {
    if (!('setSecureContext' in this.server)) throw new Error(`listener ${this.#options.name} has no TLS`);
    this.server.setSecureContext(secureContext(tls));
  }

  /**
   * Accepts no more connections, closes those without a request, and lets requests in flight finish: for `graceMs`, then what
   * is left is cut off. Resolves when everything is closed.
   */
  async close(graceMs: number): Promise<void> {
    const { server } = this;
    if (!server.listening) return;
    const closed = once(server, 'close');
    // Not the server's own way, which ends connections that carry an answer or begin to carry a request.
    await stopListening(server, () => NetServer.prototype.close.call(server));
    this.#connections.closeIdle();
    const sweep = setInterval(() => setImmediate(() => this.#connections.closeIdle()), SWEEP_MS);
    const cut = setTimeout(() => this.#connections.destroyAll(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
    // What else it does at its end.
    server.close();
  }

  /** One address must not have all the connections. */
  #countAddress(socket: Socket): void {
    const { limits, forwarded } = this.#options;
    const address = socket.remoteAddress ?? '';
    if (forwarded && withinBlocks(address, forwarded.trustedProxies)) return;
    const key = network(address);
    socket.once('close', () => adjustCount(this.#addresses, key, -1));
    if (adjustCount(this.#addresses, key, 1) > limits.connectionsPerAddress) socket.destroy();
  }
}

/**
 * Session tickets and renegotiation are off: a resumed session has lost the client's intermediates. `ca` stays empty: its
 * names would be sent to every client, and a thousand of them break the handshake.
 */
function secureContext(tls: TlsOptions): SecureContextOptions {
  return {
    cert: tls.certificate,
    key: tls.privateKey,
    minVersion: tls.minVersion,
    maxVersion: 'TLSv1.3',
    ca: [],
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  };
}

function secureServer({ limits, requestClientCertificate }: ListenerOptions, tls: TlsOptions): Http2SecureServer {
  const server = createSecureServer({
    ...secureContext(tls),
    allowHTTP1: true,
    // The default of the other kinds of server: small answers over HTTP/1.1 wait 40 ms for an acknowledgement without it.
    noDelay: true,
    requestCert: requestClientCertificate,
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeMs,
    streamResetBurst: limits.resets,
    streamResetRate: limits.resetsPerSecond,
    settings: { maxConcurrentStreams: limits.streams, maxHeaderListSize: limits.headerBytes, enablePush: false },
  });
  limitHttp2(server, limits);
  return server;
}
