import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** Limits of the intermediates that a client presents. Above them the server reads only the leaf. */
export const PRESENTED_LIMITS = {
  /** @limit number of intermediate certificates that a client presents, certificates -> none of them is used: 400 */
  certificates: 10,
  /**
   * Total size of all intermediates.
   * @limit total size of the intermediate certificates of one client, bytes -> none of them is used: 400
   */
  bytes: 32_768,
  /**
   * Size of the handshake: all certificates, and 16 KiB for the rest.
   * @limit size of the TLS handshake of a client, bytes -> its intermediates are not read: 400
   */
  handshakeBytes: 49_152,
} as const;

/** The client of a connection. Its certificate is parsed only when it is read. */
export interface Peer {
  /** IP address of the socket, such as `127.0.0.1` or `::1`; never from a forwarded header. */
  readonly address: string;
  readonly tls: boolean;
  /**
   * Returns the DER of the certificate that the client presented in the handshake, unverified; undefined if it
   * presented none.
   */
  leaf(): Uint8Array | undefined;
  /**
   * Returns the DER of the certificates after the leaf, in order and unverified: at most `limits`, and once per
   * connection, because Node leaks memory for each read. Returns undefined if the client presented more than the limits
   * allow.
   * @throws AppError `too-many-requests` if the budget for intermediates that lead to no CA is used up
   */
  intermediates(): readonly Uint8Array[] | undefined;
  /**
   * Marks these intermediates as useful: they led to a trusted CA. Reading them does not count against the limit of
   * this client.
   */
  proved(intermediates: readonly Uint8Array[]): void;
  /** Marks the client as authenticated: its IP address gets the larger limits for a while. */
  admitted(): void;
}

/**
 * Path of a request, parsed once before anything else happens with the request. All routing decisions use it and never
 * the URL.
 */
export interface Target {
  /**
   * Decoded parts of the path: `/a/b%2Fc/` has `a`, `b/c` and an empty one. If the service decodes slashes
   * (`Service.decodesSlashes`), no part contains one.
   */
  readonly parts: readonly string[];
  /** Canonical spelling of the path: `/a/b%2Fc/`. */
  readonly path: string;
}

/**
 * The structured log line of a request, which handlers fill in. Values are flat and small, and never a secret. Fields
 * that name the caller (`actor…`) are part of the audit entry too.
 */
export interface RequestEvent {
  add(fields: Readonly<Record<string, unknown>>): void;
  /** Sets the pattern of the path if the router cannot know it: `/v1/auth/:mount/certs/:name`. */
  setRoute(route: string): void;
  /**
   * Sets for each part of the path whether the audit log may show it; all other parts are hashed. For services that
   * route by themselves; other routes declare `config.secrets`.
   */
  showPath(shown: readonly boolean[]): void;
  /**
   * Excludes the request from the audit log. For requests that change and reveal nothing and must succeed even if the
   * audit log fails (health). Must be called before the handler; routes of Fastify set `config: { audit: false }`
   * instead.
   */
  unaudited(): void;
  /** Marks a request with a large body or response: it may take longer than others while data flows. */
  transfers(): void;
  /** Marks a long-polling request, which waits for an event: its duration says nothing about the server. */
  waits(): void;
  /**
   * Marks a response that streams until one side closes it. It no longer counts as in flight and has no time limit.
   * @param end called when the server stops
   * @throws 503 above the limit of such responses
   */
  endless(end: () => void): void;
}

/** Summary of a finished request. */
export interface EndedRequest {
  readonly requestId: string;
  readonly service: string;
  readonly method: string;
  /** The route pattern instead of the path, because paths may contain secrets. */
  readonly route: string | undefined;
  readonly status: number;
  readonly httpVersion: string;
  readonly remoteAddress: string;
  readonly bytes: number;
}

/** A request that is part of a trace. */
export interface RequestTrace {
  /** Trace ID in hex. */
  readonly traceId: string;
  /** Runs `work` so that spans started in it belong to this request. */
  within<T>(work: () => T): T;
  end(record: EndedRequest): void;
}

/** Tracing of requests; exists only if it is configured. */
export interface RequestTracing {
  /**
   * @param traceparent the header as the client sent it
   * @returns undefined if the request is not sampled and belongs to no trace of the client
   */
  begin(traceparent: unknown): RequestTrace | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `false` excludes the route from the audit log, see `RequestEvent.unaudited`. */
    readonly audit?: false;
    /** Path parameters that authenticate their holder: the audit log hashes them. */
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

/** Returns whether the request has a body. */
export function hasBody(request: AnyIncoming): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}
