/**
 * What went wrong, in one word. Domain code says the kind; the edge of each API (`server/`) turns it into a status and
 * the API's own error shape. The table of kinds and statuses is in docs/ARCHITECTURE.md, "Errors".
 */
export type ErrorKind =
  | 'bad-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'too-large'
  | 'unsupported-media-type'
  | 'unprocessable'
  | 'too-many-requests'
  | 'unavailable';

/** One thing that is wrong with a request, and where: `pointer` is a JSON pointer into the body (JSON:API `source.pointer`). */
export interface Issue {
  readonly title?: string;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  /** A word for programs. */
  readonly code?: string;
}

export interface ErrorOptions {
  /** Short and the same for every error of a sort; JSON:API shows it as `title`. */
  readonly title?: string;
  /** Each shown on its own where the API can (JSON:API); without any, the message is the only one. */
  readonly issues?: readonly Issue[];
  /** What the log and the audit record say in place of the message, where that repeats what the caller sent. */
  readonly logged?: string;
  /** For the log alone; never sent to a caller, never a secret. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Seconds after which it is worth trying again: the header `Retry-After`. */
  readonly retryAfter?: number;
  /** Methods that are allowed where this one is not: the header `Allow`. */
  readonly allow?: readonly string[];
}

/** An error whose text the caller may read. Anything else that is thrown is a bug: it is logged, and the caller gets a 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: ErrorKind;
  readonly title: string | undefined;
  readonly issues: readonly Issue[];
  readonly logged: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(kind: ErrorKind, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.title = options.title;
    this.issues = options.issues ?? [];
    this.logged = options.logged ?? message;
    this.context = options.context ?? {};
    this.retryAfter = options.retryAfter;
    this.allow = options.allow;
  }
}

/** How one API says that something went wrong. The edge calls it with what the caller may know, and nothing else. */
export interface ErrorShape {
  readonly contentType: string;
  /** Where this API differs from the common table of kinds and statuses. */
  readonly statuses: Readonly<Partial<Record<ErrorKind, number>>>;
  /** `error` is undefined for a bug of ours (status 500): say so without details. A text is sent as it is, else as JSON. */
  body(status: number, error: AppError | undefined, requestId: string): unknown;
}
