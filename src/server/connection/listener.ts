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
  /** Server certificate and its intermediates (PEM). */
  readonly certificate: string;
  /** Private key (PEM). */
  readonly privateKey: string;
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
}

/** Source of connections that another process has accepted: registers their receiver. */
export type Incoming = (take: (socket: Socket) => void) => void;

export interface ListenerOptions {
  /** Name in logs and metrics. */
  readonly name: string;
  readonly address: { readonly host: string; readonly port: number };
  /** TLS settings. Absent: plain HTTP/1.1 behind a proxy. */
  readonly tls?: TlsOptions;
  /** Whether to request a client certificate. It is optional and verified later by its reader. */
  readonly requestClientCertificate: boolean;
  /** Trusted proxies, which may forward client certificates and addresses. Absent: none. */
  readonly forwarded?: ForwardedOptions;
  readonly limits: Limits;
  /** Replaces the listener's own socket. */
  readonly incoming?: Incoming;
}

export interface ListenerEvents {
  connections(change: 1 | -1): void;
  handshakeFailed(error: Error): void;
  /** Called when accepting a connection fails, for example without file descriptors. */
  acceptFailed(error: Error): void;
  readonly refused: ReportRefusal;
}

/** Interval at which a draining listener closes idle connections. */
const SWEEP_MS = 100;

/** One listening address: HTTP/1.1 and HTTP/2 over TLS on one port, or plain HTTP/1.1. */
export class Listener {
  readonly server: Server | Http2SecureServer;
  readonly #options: ListenerOptions;
  readonly #events: ListenerEvents;
  readonly #connections: Connections;
  #isOpen = false;
  /** Number of open connections. */
  #open = 0;
  /** Open connections by IP address. */
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

  /** @throws the error of `net.Server#listen`: EADDRINUSE, EACCES … */
  async listen(): Promise<AddressInfo> {
    const { address, incoming } = this.#options;
    this.#isOpen = true;
    if (incoming) {
      // Node.js starts its timeout checks when its server listens.
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
   * Replaces the certificate for new connections.
   * @throws if certificate and key do not match; the old ones stay in effect
   */
  reloadTls(tls: TlsOptions): void {
    if (!('setSecureContext' in this.server)) throw new Error(`listener ${this.#options.name} has no TLS`);
    this.server.setSecureContext(secureContext(tls));
  }

  /**
   * Stops accepting connections, closes idle ones, and gives requests in flight `graceMs` to finish. Then closes the
   * rest. Resolves when everything is closed.
   */
  async close(graceMs: number): Promise<void> {
    const { server } = this;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const closed = this.#closed();
    // Avoids the server's own close, which would abort responses in progress and starting requests.
    if (server.listening) await stopListening(server, () => NetServer.prototype.close.call(server));
    this.#connections.closeIdle();
    const sweep = setInterval(() => setImmediate(() => this.#connections.closeIdle()), SWEEP_MS);
    const cut = setTimeout(() => this.#connections.destroyAll(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
    // Also runs the server's own close.
    server.close();
  }

  /** Closes all connections and the listening socket. */
  async #closed(): Promise<void> {
    if (this.server.listening) await once(this.server, 'close');
    else await this.#connections.allClosed();
  }

  /** Handles a connection like one that the server has accepted itself. */
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

  /** One event listener per socket does all counting, because listeners are costly for short connections. */
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
    // One IP address must not use all connections.
    const isTooMany =
      key !== undefined && adjustCount(this.#addresses, key, 1) > this.#options.limits.connectionsPerAddress;
    if (isTooMany) raw.destroy();
  }

  /** Returns the network that a connection counts for. Undefined for trusted proxies. */
  #countedAs(address: string): string | undefined {
    const { forwarded } = this.#options;
    return forwarded && withinBlocks(address, forwarded.trustedProxies) ? undefined : network(address);
  }
}

/**
 * Disables session tickets and renegotiation, because a resumed session has lost the client's intermediates. `ca`
 * stays empty: its names would be sent to every client, and a thousand names break the handshake.
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
    // Sets `noDelay`, as other server classes do by default. Without it small HTTP/1.1 responses wait 40 ms for an
    // acknowledgement.
    noDelay: true,
    requestCert: requestClientCertificate,
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeMs,
    // Accepts white space around header values, as HTTP/1.1 does. Otherwise the stream would end without a response.
    strictFieldWhitespaceValidation: false,
    streamResetBurst: limits.resets,
    streamResetRate: limits.resetsPerSecond,
    settings: { maxConcurrentStreams: limits.streams, maxHeaderListSize: limits.headerBytes, enablePush: false },
  });
  limitHttp2(server, limits);
  return server;
}
