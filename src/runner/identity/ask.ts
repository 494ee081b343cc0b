import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '../../lib/http/fetch-error.ts';
import { HttpClient } from '../../lib/http/http-client.ts';

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

const client = new HttpClient({ connections: 'new' });

/** Sends a request once. @throws Error if there is no response in time, or it is too large */
export async function ask({ url, headers, body, authorities }: Question, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await client.send(new URL(url), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      limits: { timeoutMs: ANSWER_LIMIT, maxBytes: MAX_ANSWER },
      ...(authorities !== null && { tls: { ca: authorities } }),
      signal,
    });
    return { status: response.status, body: parsed(await response.bytes()) };
  } catch (cause) {
    throw new Error(reasonOf(cause), { cause });
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
