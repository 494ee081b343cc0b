import { randomBytes, type X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type AnyIncoming, type Peer, PRESENTED_LIMITS } from '../../lib/request.ts';
import { plainAddress } from './client-network.ts';
import type { PeerBudget, ReadChain } from './peer-budget.ts';
import { rawSocket } from './raw-socket.ts';

export { PRESENTED_LIMITS };

/** OpenSSL error codes for a leaf whose issuer was not presented, or that is self-signed. */
const LEADS_NOWHERE: ReadonlySet<unknown> = new Set(['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT']);

const key = Symbol('peer');
type WithPeer = Socket & { [key]?: ConnectionPeer };

/** Records the peer of a connection. Call it after accept, or after the TLS handshake. */
export function rememberPeer(socket: WithPeer, budget: PeerBudget): void {
  socket[key] ??= new ConnectionPeer(socket, budget);
  if (socket instanceof TLSSocket) clearOpenSslErrors();
}

/**
 * Clears OpenSSL's error queue by generating random bytes. An undecodable extension leaves an error there, which
 * Node.js would take for a connection failure at the next read and reset the connection. Our own parser decides about
 * the certificate and gives a reason.
 */
function clearOpenSslErrors(): void {
  randomBytes(1);
}

/** Returns the peer of a request's connection, for HTTP/1.1 and HTTP/2. */
export function peerOf(request: AnyIncoming): Peer {
  // The socket of an HTTP/2 session is a proxy object.
  const socket: WithPeer | undefined = 'stream' in request ? request.stream.session?.socket : request.socket;
  return socket?.[key] ?? NOBODY;
}

/** The connection closed before the request was handled. */
const NOBODY: Peer = {
  address: '',
  tls: false,
  leaf: () => undefined,
  intermediates: () => [],
  proved: () => {},
  admitted: () => {},
};

/**
 * Peer of one connection. Reads certificates only as bytes, because Node.js's certificate objects crash or leak memory
 * on hostile certificates, except where noted.
 */
class ConnectionPeer implements Peer {
  readonly address: string;
  readonly tls: boolean;
  readonly #socket: Socket;
  readonly #budget: PeerBudget;
  readonly #handshakeBytes: number;
  #leaf: { readonly der: Uint8Array | undefined } | undefined;
  #intermediates: { readonly ders: readonly Uint8Array[] | undefined } | undefined;
  #read: ReadChain | undefined;

  constructor(socket: Socket, budget: PeerBudget) {
    const raw = rawSocket(socket);
    // Address of the raw socket, which caches it. The TLS socket would query the kernel again.
    this.address = plainAddress(raw.remoteAddress ?? '');
    this.tls = socket instanceof TLSSocket;
    this.#socket = socket;
    this.#budget = budget;
    this.#handshakeBytes = raw === socket ? Number.POSITIVE_INFINITY : raw.bytesRead;
  }

  leaf(): Uint8Array | undefined {
    this.#leaf ??= { der: this.#readLeaf() };
    return this.#leaf.der;
  }

  intermediates(): readonly Uint8Array[] | undefined {
    this.#intermediates ??= { ders: this.#readIntermediates() };
    return this.#intermediates.ders;
  }

  proved(intermediates: readonly Uint8Array[]): void {
    this.#read?.proved(bytesOf(intermediates));
    this.#read = undefined;
  }

  admitted(): void {
    this.#budget.admitted(this.address);
  }

  /** The session contains the leaf and the connection's secret, so it is wiped. */
  #readLeaf(): Uint8Array | undefined {
    if (!(this.#socket instanceof TLSSocket)) return undefined;
    const session = this.#socket.getSession();
    if (!session) return undefined;
    try {
      return leafOf(session);
    } finally {
      session.fill(0);
    }
  }

  /** The call empties OpenSSL's list and leaks its memory, so it is made once and within the budget. */
  #readIntermediates(): readonly Uint8Array[] | undefined {
    const leaf = this.leaf();
    if (!(this.#socket instanceof TLSSocket) || leaf === undefined) return [];
    if (this.#handshakeBytes > PRESENTED_LIMITS.handshakeBytes) return undefined;
    const wait = this.#budget.wait(this.address, this.#handshakeBytes - leaf.length);
    if (wait > 0) {
      // A single leaf is checked at once, without waiting for the budget.
      if (LEADS_NOWHERE.has(this.#socket.authorizationError)) return [];
      this.#budget.refuse(wait);
    }
    const ders: Uint8Array[] = [];
    let issuer: X509Certificate | undefined = this.#socket.getPeerX509Certificate()?.issuerCertificate;
    for (; issuer; issuer = issuer.issuerCertificate) ders.push(issuer.raw);
    const bytes = bytesOf(ders);
    this.#read = this.#budget.charge(this.address, bytes);
    return ders.length > PRESENTED_LIMITS.certificates || bytes > PRESENTED_LIMITS.bytes ? undefined : ders;
  }
}

function bytesOf(ders: readonly Uint8Array[]): number {
  return ders.reduce((sum, der) => sum + der.length, 0);
}

const CONTEXT_3 = 0xa3;

/** Returns field [3] of OpenSSL's SSL_SESSION: the peer certificate as presented (ssl/ssl_asn1.c). */
function leafOf(session: Buffer): Uint8Array | undefined {
  let field = element(session, element(session, 0).start);
  while (field.tag !== CONTEXT_3) {
    if (field.end >= session.length) return undefined;
    field = element(session, field.end);
  }
  return new Uint8Array(session.subarray(field.start, field.end));
}

/** Reads tag and bounds of a DER element that OpenSSL wrote, whose lengths are valid and short. */
function element(der: Buffer, at: number): { tag: number; start: number; end: number } {
  const tag = der.readUInt8(at);
  const first = der.readUInt8(at + 1);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
  return { tag, start, end: start + length };
}
