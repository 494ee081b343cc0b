import type { IncomingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { SecureContext } from 'node:tls';

/** An IP address to connect to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** TLS settings of a connection. Without `ca` and `secureContext`, the CAs of Node.js are trusted. */
export interface TlsSettings
  extends Pick<
    RequestOptions,
    'allowPartialTrustChain' | 'ca' | 'cert' | 'key' | 'minVersion' | 'rejectUnauthorized' | 'servername'
  > {
  readonly secureContext?: SecureContext;
}

/** Body that is read while it is sent. */
export interface Upload {
  /** Bytes. */
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

/** Time limits, milliseconds. A request has at least one of them. */
export type TimeLimits =
  | { readonly timeoutMs: number; readonly idleMs?: number }
  | { readonly timeoutMs?: number; readonly idleMs: number };

/** Limits of one request. */
export type HttpLimits = TimeLimits & {
  /**
   * - `timeoutMs`: for everything: name resolution, redirects, and the body to its last byte
   * - `idleMs`: without data in either direction; also for the handshake, and for the head of the response once the
   *   request is sent
   * - `maxBytes`: of the body, both encoded and decoded
   */
  readonly maxBytes: number;
};

/** One request. */
export interface HttpRequest {
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Upload;
  readonly limits: HttpLimits;
  /**
   * Maximum number of redirects of a GET to follow; further ones are an error. By default a redirect is not followed,
   * but returned.
   */
  readonly maxRedirects?: number;
  /** TLS settings instead of those of the client. The request gets its own connection. */
  readonly tls?: TlsSettings;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  /** HTTP status; may be any, 404 and 500 included. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * The body as it arrives, to be read once, decoded if it was sent as gzip. Throws a `FetchError` if the connection
   * breaks, a time limit passes, or the body exceeds `maxBytes`.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Returns the whole body. Throws like `body`. */
  bytes(): Promise<Buffer>;
  /** Closes the connection without reading the body. */
  discard(): void;
}
