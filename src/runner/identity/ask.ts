import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Longer than any login takes.
 * @limit response time of a Vault server, ms -> the request is tried again, then the job fails
 */
const ANSWER_LIMIT = 15_000;
/** @limit response of a Vault server, bytes -> the job fails */
const MAX_ANSWER = 1_048_576;
/** Pauses before each retry, in ms. */
const PAUSES = [1_000, 3_000];

/** A POST request to an external server. */
export interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** CA certificates for verifying the server, PEM; null for those of the system. */
  readonly authorities: string | null;
}

/** The response of an external server. */
export interface Answer {
  readonly status: number;
  /** Parsed JSON; undefined if the body is not JSON. */
  readonly body: unknown;
}

/**
 * Sends a request and retries transient failures.
 * @throws Error if there is no response or it is too large; the reason of the signal when it aborts
 */
export async function askPatiently(question: Question, signal: AbortSignal, pauses = PAUSES): Promise<Answer> {
  for (const pause of pauses) {
    const answer = await ask(question, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (answer !== undefined && answer.status < 500 && answer.status !== 429) return answer;
    await delay(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  return ask(question, signal);
}

/** Sends a request once. @throws Error if there is no response in time, or it is too large */
export async function ask({ url, headers, body, authorities }: Question, signal: AbortSignal): Promise<Answer> {
  const text = JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    // Limits the whole exchange, not only the time between two chunks.
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT)]),
    agent: false,
    ...(authorities !== null && { ca: authorities }),
  };
  const request = url.startsWith('https:') ? overHttps(url, options) : overHttp(url, options);
  request.on('error', reject);
  request.on('response', (response) => {
    const parts: Buffer[] = [];
    let length = 0;
    response.on('error', reject);
    response.on('data', (part: Buffer) => {
      length += part.length;
      if (length > MAX_ANSWER) request.destroy(new Error(`the response is larger than ${MAX_ANSWER} bytes`));
      else parts.push(part);
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(parts)) }));
  });
  request.end(text);
  return promise;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
