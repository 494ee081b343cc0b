import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { pino } from 'pino';
import { AppError, type ErrorKind, type ErrorShape } from '../../src/lib/errors.ts';
import { parseJsonBody } from '../../src/lib/json.ts';
import type { Service } from '../../src/lib/service.ts';
import {
  type Audit,
  type AuditSinkOptions,
  type ChainMemory,
  createServer,
  DEFAULT_LIMITS,
  type HealthCheck,
  type HttpServer,
  type Incoming,
  type Limits,
  type ListenerOptions,
  Metrics,
  type RateLimits,
  Readiness,
  type ServerLimits,
  type TlsOptions,
} from '../../src/server/index.ts';
import { openTestAudit } from './audit.ts';
import { createRoot } from './pki.ts';

export const serverRoot = createRoot({ subject: 'Server root' });
const serverCertificate = serverRoot.issue({
  subject: 'localhost',
  ips: ['127.0.0.1'],
  extendedKeyUsage: ['serverAuth'],
});
export const serverTls: TlsOptions = {
  certificate: serverCertificate.pem,
  privateKey: serverCertificate.keyPem,
  minVersion: 'TLSv1.2',
};

export interface ListeningOptions {
  /** Default: TLS. `false` is plain HTTP. */
  readonly tls?: TlsOptions | false;
  readonly services?: readonly Service[];
  readonly limits?: Partial<Limits>;
  /** Limits of the server. */
  readonly serverLimits?: Partial<ServerLimits>;
  readonly forwarded?: NonNullable<ListenerOptions['forwarded']>;
  readonly chainMemory?: ChainMemory;
  readonly checks?: readonly HealthCheck[];
  /** Default: none. */
  readonly sinks?: readonly AuditSinkOptions[];
  readonly rates?: (metrics: Metrics) => RateLimits;
  /** Default: a socket of its own. */
  readonly incoming?: Incoming;
}

/** Starts one listener on a free port of loopback, without the rest of the program. */
export interface Listening {
  readonly port: number;
  readonly secure: boolean;
  readonly server: HttpServer;
  readonly metrics: Metrics;
  readonly audit: Audit;
  /** Log lines so far, oldest first. */
  lines(): Record<string, unknown>[];
  /** Returns the log lines of requests. */
  requests(): Record<string, unknown>[];
}

export async function listening(options: ListeningOptions = {}): Promise<Listening> {
  const { tls = serverTls, services = [echoService()], limits = {}, checks = [], sinks = [] } = options;
  const { forwarded, serverLimits = {} } = options;
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const metrics = new Metrics();
  const audit = await openTestAudit(sinks, logger, metrics);
  const server = createServer({
    listeners: [
      {
        name: 'main',
        address: { host: '127.0.0.1', port: 0 },
        ...(tls && { tls }),
        requestClientCertificate: true,
        ...(forwarded && { forwarded }),
        ...(options.incoming && { incoming: options.incoming }),
        limits: { ...DEFAULT_LIMITS, ...limits },
        services: [...services, metrics.service()],
      },
    ],
    limits: serverLimits,
    logger,
    metrics,
    audit,
    ...(options.rates && { rates: options.rates(metrics) }),
    ...(options.chainMemory && { chainMemory: options.chainMemory }),
    readiness: new Readiness(sinks.length > 0 ? [...checks, audit.healthCheck()] : checks),
  });
  const [started] = await server.start();
  const parsed = () => lines.map((line): Record<string, unknown> => JSON.parse(line));
  return {
    port: started?.address.port ?? 0,
    secure: tls !== false,
    server,
    metrics,
    audit,
    lines: parsed,
    requests: () => parsed().filter((line) => line.msg === 'request'),
  };
}

/** A response over HTTP/1.1 or HTTP/2. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any;
}

function reply(status: number, headers: Record<string, string>, text: string): Reply {
  const isJson = headers['content-type']?.includes('json') === true && text !== '';
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** An HTTP/1.1 connection on which a test writes any bytes, in any pieces. */
export class Wire {
  readonly socket: Socket;
  /** Resolves once the connection is closed, by either side. */
  readonly closed: Promise<void>;
  /** Error that broke the connection, if there is one. */
  failure: Error | undefined;
  #received = Buffer.alloc(0);
  #changed = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    const change = () => {
      this.#changed.resolve();
      this.#changed = Promise.withResolvers();
    };
    socket.on('error', (error) => {
      this.failure = error;
    });
    socket.on('close', change);
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      change();
    });
  }

  /** Sends each piece in its own packet. */
  async write(...pieces: readonly (string | Uint8Array)[]): Promise<void> {
    for (const piece of pieces) {
      this.socket.write(piece);
      if (pieces.length > 1) await new Promise((resolve) => setTimeout(resolve, 4));
    }
  }

  /** Returns the next response; rejects when the connection closes first. */
  async next(): Promise<Reply> {
    for (;;) {
      const response = this.#take();
      if (response) return response;
      if (this.socket.destroyed) throw new Error(`closed after ${JSON.stringify(this.#received.toString())}`);
      await this.#changed.promise;
    }
  }

  async ask(...pieces: readonly (string | Uint8Array)[]): Promise<Reply> {
    await this.write(...pieces);
    return this.next();
  }

  #take(): Reply | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.#received.subarray(0, end).toString().split('\r\n');
    const pairs = lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 2),
    ]);
    const headers: Record<string, string> = Object.fromEntries(pairs);
    const rest = this.#received.subarray(end + 4);
    const isChunked = headers['transfer-encoding'] === 'chunked';
    const body = isChunked ? chunksOf(rest) : plainOf(rest, Number(headers['content-length'] ?? 0));
    if (body === undefined) return undefined;
    this.#received = rest.subarray(body.length);
    return reply(Number(first.split(' ')[1]), headers, body.text);
  }
}

/** Returns a body and its length on the connection, or `undefined` as long as a part is missing. */
interface Body {
  readonly text: string;
  readonly length: number;
}

function plainOf(bytes: Buffer, length: number): Body | undefined {
  return bytes.length < length ? undefined : { text: bytes.subarray(0, length).toString(), length };
}

/** RFC 9112 §7.1, without extensions and trailers. */
function chunksOf(bytes: Buffer): Body | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.subarray(at, line).toString(), 16);
    const next = line + 2 + size + 2;
    if (Number.isNaN(size) || bytes.length < next) return undefined;
    if (size === 0) return { text: Buffer.concat(chunks).toString(), length: next };
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = next;
  }
}

/** `allowHalfOpen`: the socket stays writable after the server has closed its side. */
export type DialOptions = ConnectionOptions & { readonly allowHalfOpen?: boolean };

export async function dial(
  { port, secure }: Pick<Listening, 'port' | 'secure'>,
  options: DialOptions = {},
): Promise<Wire> {
  const address = { host: '127.0.0.1', port };
  const socket = secure
    ? connectTls({ ...address, ca: serverRoot.pem, ...options })
    : connectTcp({ ...address, allowHalfOpen: options.allowHalfOpen ?? false });
  const wire = new Wire(socket);
  await once(socket, secure ? 'secureConnect' : 'connect');
  socket.setNoDelay(true);
  return wire;
}

/** Formats `GET /path HTTP/1.1` with headers and body. */
export function message(method: string, path: string, headers: Record<string, string> = {}, body = ''): string {
  const length = body ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
  const lines = Object.entries({ Host: 'localhost', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

export async function dialHttp2(
  { port }: Pick<Listening, 'port'>,
  options: ConnectionOptions = {},
): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: serverRoot.pem, ...options });
  session.on('error', () => {});
  await once(session, 'connect');
  return session;
}

/** Sends one request on an HTTP/2 connection; rejects when the stream is reset. */
export async function ask2(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string): Promise<Reply> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = once(stream, 'close').then(() => undefined);
  const [received] = (await Promise.race([once(stream, 'response'), closed])) ?? [];
  if (received === undefined) throw new Error(`reset with code ${stream.rstCode}`);
  if (!stream.readableEnded) await once(stream, 'end');
  const { ':status': status, ...rest } = received;
  return reply(status, rest, Buffer.concat(chunks).toString());
}

const echoErrors: ErrorShape = {
  contentType: 'application/json',
  statuses: { unprocessable: 400 },
  body: (status, error, requestId) => ({
    status,
    kind: error?.kind,
    message: error?.message,
    issues: error?.issues,
    requestId,
  }),
};

/** Length of the response of `/echo/large`, in characters: more than the buffers of a socket hold. */
export const LARGE_ANSWER = 33_554_432;

/** Echoes each request. `gate` holds the response of `/echo/held` back until it resolves. */
export function echoService(gate: Promise<void> = Promise.resolve()): Service {
  return {
    name: 'echo',
    prefix: '/echo',
    errors: echoErrors,
    notFound: () => new AppError('not-found', 'nothing echoes here'),
    routes(app) {
      app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJsonBody);
      if (!app.supportedMethods.includes('LINK')) app.addHttpMethod('LINK');
      app.route({
        method: ['GET', 'LIST', 'LINK', 'POST'],
        url: '/said/:word',
        handler: async (request) => ({
          method: request.method,
          url: request.url,
          query: request.query,
          body: request.body,
        }),
      });
      const schema = {
        body: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, port: { type: 'integer', default: 1 } },
          additionalProperties: false,
        },
        querystring: { type: 'object', properties: { 'page[size]': { type: 'string', maxLength: 2 } } },
      };
      app.post('/checked', { schema }, async (request) => request.body);
      app.get('/large', async () => 'x'.repeat(LARGE_ANSWER));
      app.get('/held', async (request) => {
        request.event.add({ actor: 'holder' });
        await gate;
        return { held: true };
      });
      app.get('/fails/:kind', async (request) => {
        const { kind } = request.params as { kind: ErrorKind };
        throw new AppError(kind, 'as you wish', { context: { why: 'asked for' } });
      });
      app.get('/bug', async () => {
        throw new Error('the password is hunter2');
      });
      app.get('/peer', async ({ peer }) => ({
        address: peer.address,
        tls: peer.tls,
        leaf: base64(peer.leaf()),
        intermediates: peer.intermediates()?.map(base64),
      }));
    },
  };
}

function base64(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString('base64');
}
