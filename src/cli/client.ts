import { request } from 'node:https';

/** How to reach a server of ours. */
export interface ClientOptions {
  /** `https://127.0.0.1:8200` */
  readonly address: string;
  /** PEM of the authority that the server is trusted by. */
  readonly ca: string;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  /** The JSON of the answer; undefined without a body. */
  readonly body: unknown;
}

export type Client = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A client of either API: both take the token as a bearer, and JSON. */
export function createClient({ address, ca, token }: ClientOptions): Client {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' };
      const outgoing = request(new URL(path, address), { method, headers, ca }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
}
