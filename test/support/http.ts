import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as requestPlain } from 'node:http';
import { type Agent, request as requestTls } from 'node:https';

export interface CallOptions {
  readonly token?: string;
  /** Sent as JSON; a string or bytes unchanged. */
  readonly body?: unknown;
  readonly headers?: OutgoingHttpHeaders;
  /** Client certificate for the handshake: PEM, the leaf first. */
  readonly certificate?: { readonly pem: string; readonly keyPem: string };
  /** Default: a connection of its own. */
  readonly agent?: Agent;
  /** Local IP address of the connection, such as `127.0.0.2`. */
  readonly localAddress?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parsed JSON of the response; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any;
}

/** Sends one request to a server under test, with TLS if its URL is https. @param ca CA of its certificate, in PEM */
export function call(
  { address, ca = '' }: { readonly address: string; readonly ca?: string },
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { token, body, certificate, agent, localAddress, headers = {} } = options;
  const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const request = address.startsWith('http:') ? requestPlain : requestTls;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(path, address),
      {
        method,
        ca,
        agent: agent ?? false,
        ...(localAddress !== undefined && { localAddress }),
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(bytes !== undefined && {
            'content-type': 'application/vnd.api+json',
            'content-length': Buffer.byteLength(bytes),
          }),
          ...headers,
        },
        ...(certificate && { cert: certificate.pem, key: certificate.keyPem }),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = /json/.test(incoming.headers['content-type'] ?? '') && text !== '';
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            body: json ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}
