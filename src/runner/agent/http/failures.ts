/** The server did not respond, or the response was cut short. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** The response is larger than the request allows. A retry would not help. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';

  constructor(maxBytes: number) {
    super(`the response is larger than ${maxBytes} bytes`);
  }
}

/** The server responded with an error status. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Seconds of the `Retry-After` header; null without one. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Returns whether the server refused the request with one of these statuses. */
export const isRefusal = (error: unknown, ...statuses: readonly number[]): error is Refusal =>
  error instanceof Refusal && statuses.includes(error.status);

/** Returns whether the error is transient: a retry may succeed. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Unanswered) return true;
  return error instanceof Refusal && (error.status >= 500 || error.status === 408 || error.status === 429);
}

const OF_NO_JOB =
  'the server does not have it, or this job may not read it any more. The run may be over, the lock of its workspace lost, or the ' +
  'workspace, its state or its configuration deleted (404)';

/** Replaces the text of a 404 by an explanation that fits a run. The API's own text is written for API clients. */
export function aboutJob(error: unknown): unknown {
  return isRefusal(error, 404) ? new Refusal(404, OF_NO_JOB, error.retryAfter) : error;
}

/** @limit error text of a server that an agent shows, characters -> it is truncated */
const MAX_TEXT = 500;

/** Returns the error texts of a response of either API in one line; without any, a text with the status. */
export function refusalText(status: number, body: Buffer): string {
  const text = textsIn(body)
    .join('; ')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return text === '' ? `the server answered ${status}` : `${text.slice(0, MAX_TEXT)} (${status})`;
}

function textsIn(body: Buffer): string[] {
  try {
    const { errors } = JSON.parse(body.toString());
    return Array.isArray(errors) ? errors.map(textOf) : [];
  } catch {
    return [];
  }
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { title, detail } = (error ?? {}) as { title?: unknown; detail?: unknown };
  return String(detail ?? title ?? '');
}
