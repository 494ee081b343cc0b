import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Longer than a login ever takes.
 * @limit how long a Vault may take for an answer, ms -> it is asked again, and then the job fails
 */
const ANSWER_LIMIT = 15_000;
/** @limit an answer of a Vault, bytes -> the job fails */
const MAX_ANSWER = 1_048_576;
/** Before it is asked again, milliseconds. */
const PAUSES = [1_000, 3_000];

/** A question to somebody else's server. */
export interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** PEM of those who vouch for the server; null for those of the system. */
  readonly authorities: string | null;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
}

/**
 * Asks again where that may help.
 * @throws Error when there is no answer, or it is too large; what the signal says once that is aborted
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

/** @throws Error when there is no answer in time, or it is too large */
export async function ask({ url, headers, body, authorities }: Question, signal: AbortSignal): Promise<Answer> {
  const text = JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    // Not only from byte to byte.
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
      if (length > MAX_ANSWER) request.destroy(new Error(`the answer is larger than ${MAX_ANSWER} bytes`));
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
