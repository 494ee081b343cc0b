/** A request that a server wants to be sent to a VCS provider in the network of this agent. */
export interface RequestToForward {
  readonly id: string;
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** PEM of CAs that are trusted besides those of this system. */
  readonly authorities: readonly string[];
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
type Method = (typeof METHODS)[number];
/** @limit size of a response that an agent forwards, bytes -> a larger limit of the server is lowered */
const MOST_BYTES = 1_073_741_824;
/** @limit duration of a request that an agent forwards, ms -> a larger limit of the server is lowered */
const LONGEST_MS = 600_000;

/** Headers of the connection to a provider, which is the agent's. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Reads a claimed request. @throws Error if the server sent something else */
export function readRequest(answer: unknown): RequestToForward {
  const { id, attributes = {} } =
    (answer as { data?: { id?: unknown; attributes?: Record<string, unknown> } }).data ?? {};
  const { method, url, headers, body, authorities, 'max-bytes': bytes, 'timeout-ms': timeout } = attributes;
  const known = METHODS.find((one) => one === method);
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id) || known === undefined || typeof url !== 'string')
    throw new Error('the server sent a request that this agent cannot read');
  return {
    ...{ id, method: known, url, headers: forwarded(textsIn(headers)) },
    body: typeof body === 'string' ? Buffer.from(body, 'base64') : null,
    authorities: Object.values(textsIn(authorities)),
    maxBytes: Math.min(Number(bytes) || 0, MOST_BYTES),
    timeoutMs: Math.min(Number(timeout) || 0, LONGEST_MS),
  };
}

function textsIn(value: unknown): Record<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function forwarded(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())));
}
