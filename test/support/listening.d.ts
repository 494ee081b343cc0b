import { type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { type Socket } from 'node:net';
import { type ConnectionOptions } from 'node:tls';
import { type ErrorShape } from '../../src/lib/errors.ts';
import type { Service } from '../../src/lib/service.ts';
import { type HealthCheck, type HttpServer, type Limits, Metrics, type TlsOptions } from '../../src/server/index.ts';
export declare const serverRoot: import('./pki.ts').Authority;
export declare const serverTls: TlsOptions;
export interface ListeningOptions {
  /** Default: TLS. `false` is plain HTTP. */
  readonly tls?: TlsOptions | false;
  readonly services?: readonly Service[];
  readonly limits?: Partial<Limits>;
  readonly checks?: readonly HealthCheck[];
}
/** One listener on a free port of loopback, without the rest of the program. */
export interface Listening {
  readonly port: number;
  readonly secure: boolean;
  readonly server: HttpServer;
  readonly metrics: Metrics;
  /** Log lines so far, oldest first. */
  lines(): Record<string, unknown>[];
  /** Those of requests. */
  requests(): Record<string, unknown>[];
}
export declare function listening(options?: ListeningOptions): Promise<Listening>;
/** A response as it came over HTTP/1.1 or HTTP/2. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: any;
}
/** An HTTP/1.1 connection on which a test writes what it likes, in the pieces it likes. */
export declare class Wire {
  #private;
  readonly socket: Socket;
  /** Resolves once the connection is closed, however. */
  readonly closed: Promise<void>;
  constructor(socket: Socket);
  /** Each piece in a packet of its own. */
  write(...pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** The next response; rejects when the connection closes before there is one. */
  next(): Promise<Reply>;
  ask(...pieces: readonly (string | Uint8Array)[]): Promise<Reply>;
}
export declare function dial(
  { port, secure }: Pick<Listening, 'port' | 'secure'>,
  options?: ConnectionOptions,
): Promise<Wire>;
/** `GET /path HTTP/1.1` with its headers and body. */
export declare function message(method: string, path: string, headers?: Record<string, string>, body?: string): string;
export declare function dialHttp2({ port }: Listening, options?: ConnectionOptions): Promise<ClientHttp2Session>;
/** One request on an HTTP/2 connection; rejects when the stream is reset. */
export declare function ask2(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string): Promise<Reply>;
export declare const echoErrors: ErrorShape;
/** Answers what it was asked. `gate` holds the answer of `/echo/held` back until it resolves. */
export declare function echoService(gate?: Promise<void>): Service;
