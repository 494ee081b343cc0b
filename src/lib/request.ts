import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** Bounds of the intermediates that a client presents. Beyond them only the leaf is read. */
export const PRESENTED_LIMITS = {
  /** @limit intermediates that a client presents, certificates -> none of them is used: 400 */
  certificates: 10,
  /**
   * Bytes of all intermediates.
   * @limit intermediates that a client presents together, bytes -> none of them is used: 400
   */
  bytes: 32_768,
  /**
   * Bytes that may have come by the end of the handshake: all certificates, and 16 KiB for the rest.
   * @limit bytes that a client sends in its handshake, bytes -> the intermediates in it are not read: 400
   */
  handshakeBytes: 49_152,
} as const;

/** Who is at the other end of the connection. Reading a certificate costs nothing until it is asked for. */
export interface Peer {
  /** `127.0.0.1` or `::1`; never a forwarded header. */
  readonly address: string;
  readonly tls: boolean;
  /** DER of the certificate presented in this connection's handshake; undefined when none was. Unverified. */
  leaf(): Uint8Array | undefined;
  /**
   * DER of what was presented after the leaf, in order; at most `limits` and once per connection (facts: Node leaks memory
   * for each). Undefined when more was presented than the limits allow. Unverified.
   * @throws AppError `too-many-requests`, when too many were read that led nowhere
   */
  intermediates(): readonly Uint8Array[] | undefined;
  /** Tells that these of `intermediates` led to an authority that somebody trusts: to read them costs this client nothing. */
  proved(intermediates: readonly Uint8Array[]): void;
  /** Tells that this client was let in: its address is no stranger's for a while. */
  admitted(): void;
}

/**
 * What a request is addressed to. It is read once, before anything else is done with the request: whatever asks where it leads
 * asks this, never its URL.
 */
export interface Target {
  /**
   * Of the path, decoded: `/a/b%2Fc/` has `a`, `b/c` and an empty one. Where slashes are decoded (`Service.decodesSlashes`) no
   * part holds any.
   */
  readonly parts: readonly string[];
  /** In the one spelling that it has here: `/a/b%2Fc/`. */
  readonly path: string;
}

/**
 * The one structured log line of a request, filled in on its way. Values are flat and small; never a secret.
 * What names the caller (`actor…`) is part of the audit record too.
 */
export interface RequestEvent {
  add(fields: Readonly<Record<string, unknown>>): void;
  /** The pattern that the path fits, where the router cannot know it: `/v1/auth/:mount/certs/:name`. */
  setRoute(route: string): void;
  /**
   * For each part of the path whether the audit record may show it; what is not said is hashed. For a service that finds its
   * operations itself: of a route the record knows (`config.secrets`).
   */
  showPath(shown: readonly boolean[]): void;
  /**
   * Leaves the request out of the audit record: it neither changes nor reveals anything, and is answered when nothing can be
   * recorded (health). Before the handler runs; a route of its own says `config: { audit: false }`.
   */
  unaudited(): void;
  /** Large content passes, in the request or in its answer: it may take longer than others, as long as something moves. */
  transfers(): void;
  /** The answer waits for something to happen, as its client wants it to: the time that it takes says nothing of the server. */
  waits(): void;
  /**
   * The answer goes on until somebody ends it: it is not among the requests in flight any more, and may take as long as it likes.
   * @param end called when the server stops
   * @throws 503 when there are too many of those
   */
  endless(end: () => void): void;
}

/** What is told of a request once it is over. */
export interface EndedRequest {
  readonly requestId: string;
  readonly service: string;
  readonly method: string;
  /** The pattern: secrets stand in paths. */
  readonly route: string | undefined;
  readonly status: number;
  readonly httpVersion: string;
  readonly remoteAddress: string;
  readonly bytes: number;
}

/** A request that is part of a trace. */
export interface RequestTrace {
  /** In hex. */
  readonly traceId: string;
  /** What is begun in `work` belongs to it. */
  within<T>(work: () => T): T;
  end(record: EndedRequest): void;
}

/** Who records what requests do; there is none unless it is configured. */
export interface RequestTracing {
  /** @param traceparent as the client sent it; undefined is answered for a request that is part of none */
  begin(traceparent: unknown): RequestTrace | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `false`: left out of the audit record, see `RequestEvent.unaudited`. */
    readonly audit?: false;
    /** Parameters of the path that let in whoever has them: the audit record hashes them. */
    readonly secrets?: readonly string[];
  }
  interface FastifyRequest {
    readonly peer: Peer;
    readonly event: RequestEvent;
    readonly target: Target;
  }
}

export type AnyIncoming = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** Whether a body follows the head of a request. */
export function hasBody(request: AnyIncoming): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}
