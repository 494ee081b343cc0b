import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { type AddressInfo, isIPv6, Server as NetServer, type Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { withinBlocks } from '../../lib/cidr.ts';
import { stopListening } from '../../lib/stop-listening.ts';
import { type ReportRefusal, refuse } from '../http1/client-error.ts';
import { superviseHttp1 } from '../http1/list-method.ts';
import { adjustCount, network } from '../peer/client-network.ts';
import type { ForwardedOptions } from '../peer/forwarded-certificates.ts';
import { rememberPeer } from '../peer/peer.ts';
import type { PeerBudget } from '../peer/peer-budget.ts';
import { Connections } from './drain.ts';
import { type Limits, limitHttp1, limitHttp2 } from './listener-limits.ts';

export interface TlsOptions {
  /** PEM; the server's certificate and the intermediates above it. */
  readonly certificate: string;
  /** PEM. */
  readonly privateKey: string;
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
}

/** Connections that another process has accepted: tells who is to take them. */
export type Incoming = (take: (socket: Socket) => void) => void;

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
  /** In place of a socket of its own at the address. */
  readonly incoming?: Incoming;
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
  #isOpen = false;
  /** Connections. */
  #open = 0;
  /** Open connections of each address. */
  readonly #addresses = new Map<string, number>();

  constructor(options: ListenerOptions, budget: PeerBudget, events: ListenerEvents) {
    this.#options = options;
    this.#events = events;
    this.server = options.tls ? secureServer(options, options.tls) : createServer();
    const { server } = this;
    this.#connections = new Connections(server);
    limitHttp1(server, options.limits);
    server.on('connection', (socket: Socket) => this.#begin(socket));
    if (options.tls) server.on('secureConnection', (socket: Socket) => this.#connections.secure(socket));
    server.on(options.tls ? 'secureConnection' : 'connection', (socket: Socket) => rememberPeer(socket, budget));
    server.on('tlsClientError', (error: Error) => events.handshakeFailed(error));
    superviseHttp1(server, (error, socket) => refuse(error, socket, events.refused));
  }

  /** @throws what `net.Server#listen` reports: EADDRINUSE, EACCES … */
  async listen(): Promise<AddressInfo> {
    const { address, incoming } = this.#options;
    this.#isOpen = true;
    if (incoming) {
      // Node begins to look for connections that are too slow when its server listens.
      this.server.emit('listening');
      incoming((socket) => this.#take(socket));
      return { address: address.host, port: address.port, family: isIPv6(address.host) ? 'IPv6' : 'IPv4' };
    }
    this.server.listen(address);
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
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const closed = this.#closed();
    // Not the server's own way, which ends connections that carry an answer or begin to carry a request.
    if (server.listening) await stopListening(server, () => NetServer.prototype.close.call(server));
    this.#connections.closeIdle();
    const sweep = setInterval(() => setImmediate(() => this.#connections.closeIdle()), SWEEP_MS);
    const cut = setTimeout(() => this.#connections.destroyAll(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
    // What else it does at its end.
    server.close();
  }

  /** Every connection is closed, and the socket if there is one. */
  async #closed(): Promise<void> {
    if (this.server.listening) await once(this.server, 'close');
    else await this.#connections.allClosed();
  }

  /** What a server does with one that it has accepted itself. */
  #take(socket: Socket): void {
    if (this.#open >= this.#options.limits.connections) {
      socket.destroy();
      return;
    }
    socket.allowHalfOpen = (this.server as { allowHalfOpen?: boolean }).allowHalfOpen ?? false;
    this.server.emit('connection', socket);
  }

  #count(change: 1 | -1): void {
    this.#open += change;
    this.#events.connections(change);
  }

  /** One listener of each socket for all that is counted: a connection is short, and each listener has its price. */
  #begin(raw: Socket): void {
    const use = this.#connections.add(raw);
    if (!use) return;
    const key = this.#countedAs(raw.remoteAddress ?? '');
    this.#count(1);
    raw.once('close', () => {
      this.#connections.remove(use);
      if (key !== undefined) adjustCount(this.#addresses, key, -1);
      this.#count(-1);
    });
    // One address must not have all the connections.
    const isTooMany =
      key !== undefined && adjustCount(this.#addresses, key, 1) > this.#options.limits.connectionsPerAddress;
    if (isTooMany) raw.destroy();
  }

  /** Whom a connection counts for; undefined for proxies that may speak for their clients. */
  #countedAs(address: string): string | undefined {
    const { forwarded } = this.#options;
    return forwarded && withinBlocks(address, forwarded.trustedProxies) ? undefined : network(address);
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
    // Over HTTP/1.1 white space around a value is removed. Here it would end the stream without an answer.
    strictFieldWhitespaceValidation: false,
    streamResetBurst: limits.resets,
    streamResetRate: limits.resetsPerSecond,
    settings: { maxConcurrentStreams: limits.streams, maxHeaderListSize: limits.headerBytes, enablePush: false },
  });
  limitHttp2(server, limits);
  return server;
}
