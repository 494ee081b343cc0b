/**
 * Kind of an error. Domain code sets the kind; the HTTP layer of each API (`server/`) maps it to a status and to the
 * API's error format. `src/server/README.md`, "Errors", has the table of kinds and statuses.
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

/** One fault of a request and its position: `pointer` is a JSON pointer into the body (JSON:API `source.pointer`). */
export interface Issue {
  readonly title?: string;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  /** Machine-readable code. */
  readonly code?: string;
}

export interface ErrorOptions {
  /** Short title, equal for all errors of one sort; JSON:API sends it as `title`. */
  readonly title?: string;
  /** Each issue is listed on its own if the API can (JSON:API); without issues, the message is the only one. */
  readonly issues?: readonly Issue[];
  /** Text for the logs instead of the message, if the message repeats input of the caller. */
  readonly logged?: string;
  /** Details for the server log only: never sent to a caller, never a secret. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Seconds until a retry makes sense: the header `Retry-After`. */
  readonly retryAfter?: number;
  /** Methods that the resource allows: the header `Allow`. */
  readonly allow?: readonly string[];
}

/** An error whose message the caller may read. Any other error is a bug: the server logs it and returns 500. */
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

/** Error format of one API. The HTTP layer passes only what the caller may know. */
export interface ErrorShape {
  readonly contentType: string;
  /** Statuses of this API that differ from the common table of kinds and statuses. */
  readonly statuses: Readonly<Partial<Record<ErrorKind, number>>>;
  /**
   * Returns the body of an error response: a string is sent as it is, anything else as JSON. `error` is undefined for a
   * bug of the server (status 500); the body must then hold no details.
   */
  body(status: number, error: AppError | undefined, requestId: string): unknown;
}
