/** The server did not answer, or not to the end. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** The server answered, and does not do what it was asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Seconds; null where it does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Whether it was refused with one of these statuses. */
export const isRefusal = (error: unknown, ...statuses: readonly number[]): error is Refusal =>
  error instanceof Refusal && statuses.includes(error.status);

/** Whether the same may be answered otherwise a little later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Unanswered) return true;
  return error instanceof Refusal && (error.status >= 500 || error.status === 408 || error.status === 429);
}

const OF_NO_JOB =
  'the server does not have it, or not for this job any more. The run may be over, the lock of its workspace lost, or the ' +
  'workspace, its state or its configuration deleted (404)';

/** The error as people read it as the reason of a run: what an API says to whoever asks it would lead them astray. */
export function aboutJob(error: unknown): unknown {
  return isRefusal(error, 404) ? new Refusal(404, OF_NO_JOB, error.retryAfter) : error;
}

/** @limit what a server says of an error that is shown, characters -> it is cut */
const MAX_TEXT = 500;

/** The texts of an error of either API, in one line; else its status. */
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
