import { randomBytes, type X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { AnyIncoming, Peer } from '../../lib/request.ts';
import { plainAddress } from './client-network.ts';
import type { PeerBudget, ReadChain } from './peer-budget.ts';
import { rawSocket } from './raw-socket.ts';

/** What a client may present besides its own certificate. More is not looked at: only the leaf is. */
export const PRESENTED_LIMITS = {
  /** @limit intermediates that a client presents, certificates -> none of them is used: 400 */
  certificates: 10,
  /**
   * Of all of them together.
   * @limit the same together, bytes -> none of them is used: 400
   */
  bytes: 32_768,
  /**
   * What may have come by the end of the handshake: all certificates, and 16 KiB for the rest.
   * @limit what a client sends in its handshake, bytes -> the intermediates in it are not read: 400
   */
  handshakeBytes: 49_152,
} as const;

/** What OpenSSL finds when nothing that the client presented has the name of the leaf's issuer, or the leaf is its own. */
const LEADS_NOWHERE: ReadonlySet<unknown> = new Set(['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT']);

const key = Symbol('peer');
type WithPeer = Socket & { [key]?: ConnectionPeer };

/** Notes who is at the other end; to be called once a connection is made, for TLS when the handshake is done. */
export function rememberPeer(socket: WithPeer, budget: PeerBudget): void {
  socket[key] ??= new ConnectionPeer(socket, budget);
  if (socket instanceof TLSSocket) clearOpenSslErrors();
}

/**
 * Where OpenSSL cannot decode an extension of the client's certificate, the handshake leaves that in its error queue. Node takes it
 * for a failure of the connection when it reads on, and resets it in place of the request. The reader of this server decides about the
 * certificate, and says why. Making random bytes clears the queue.
 */
function clearOpenSslErrors(): void {
  randomBytes(1);
}

/** The peer of a request's connection: alike for HTTP/1.1 and HTTP/2. */
export function peerOf(request: AnyIncoming): Peer {
  // The socket of an HTTP/2 session is a stand-in that passes properties through.
  const socket: WithPeer | undefined = 'stream' in request ? request.stream.session?.socket : request.socket;
  return socket?.[key] ?? NOBODY;
}

/** Its connection broke before the request was looked at. */
const NOBODY: Peer = {
  address: '',
  tls: false,
  leaf: () => undefined,
  intermediates: () => [],
  proved: () => {},
  admitted: () => {},
};

/**
 * The other end of one connection. Certificates are taken as bytes alone: Node's own certificate objects crash the process or
 * leak on what a stranger can present, except where noted.
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
    // Of the raw socket, which keeps it: whoever asks the one above asks the kernel again.
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

  /** The session holds the leaf, and the secret of the connection too: it is wiped. */
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

  /** The call empties OpenSSL's list and leaks what it took from it, hence once, and under a budget. */
  #readIntermediates(): readonly Uint8Array[] | undefined {
    const leaf = this.leaf();
    if (!(this.#socket instanceof TLSSocket) || leaf === undefined) return [];
    if (this.#handshakeBytes > PRESENTED_LIMITS.handshakeBytes) return undefined;
    const wait = this.#budget.wait(this.address, this.#handshakeBytes - leaf.length);
    if (wait > 0) {
      // A leaf alone is refused for what it is, and does not wait for what others presented.
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

/** Field [3] of OpenSSL's SSL_SESSION: the certificate that the peer presented, as it was (ssl/ssl_asn1.c). */
function leafOf(session: Buffer): Uint8Array | undefined {
  let field = element(session, element(session, 0).start);
  while (field.tag !== CONTEXT_3) {
    if (field.end >= session.length) return undefined;
    field = element(session, field.end);
  }
  return new Uint8Array(session.subarray(field.start, field.end));
}

/** Tag and bounds of a DER element in what OpenSSL itself wrote: lengths are right and short. */
function element(der: Buffer, at: number): { tag: number; start: number; end: number } {
  const tag = der.readUInt8(at);
  const first = der.readUInt8(at + 1);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
  return { tag, start, end: start + length };
}
