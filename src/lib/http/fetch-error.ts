/**
 * Reason why a request failed:
 * - `denied`: the URL or one of its IP addresses is not allowed
 * - `timeout`: the whole request took too long, or the server was silent for too long
 * - `aborted`: the caller aborted it
 * - `network`: the name does not exist, or the connection failed or broke
 * - `status`: a status that the caller did not expect (`FetchError#status`)
 * - `redirect`: too many redirects, or one without a target
 * - `too-large`: more bytes than the caller allows
 * - `encoding`: an unsupported encoding, or content that does not match its encoding
 */
export type FetchErrorKind =
  | 'denied'
  | 'timeout'
  | 'aborted'
  | 'network'
  | 'status'
  | 'redirect'
  | 'too-large'
  | 'encoding';

/** The only error of an HTTP client. Its message is for administrators, because it names hosts and IP addresses. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly kind: FetchErrorKind;
  /** Set for the kind `status` only. */
  readonly status: number | undefined;
  /** Set for the kind `too-large` only. */
  readonly maxBytes: number | undefined;
  /**
   * Code of the system, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`, if a connection failed. `ETIMEDOUT` for a timeout,
   * that of the caller's signal included; `ABORT_ERR` for another abort of the caller.
   */
  readonly code: string | undefined;

  constructor(
    kind: FetchErrorKind,
    message: string,
    options: { readonly status?: number; readonly maxBytes?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
    this.maxBytes = options.maxBytes;
    this.code = codeFor(kind, options.cause);
  }
}

function codeFor(kind: FetchErrorKind, cause: unknown): string | undefined {
  if (kind === 'network') return codeOf(cause);
  if (kind === 'timeout') return 'ETIMEDOUT';
  if (kind !== 'aborted') return undefined;
  return (cause as Error | undefined)?.name === 'TimeoutError' ? 'ETIMEDOUT' : 'ABORT_ERR';
}

/** Converts the error of a connection. */
export function networkError(cause: unknown): FetchError {
  return new FetchError('network', `the connection failed: ${codeOf(cause) ?? (cause as Error).message}`, { cause });
}

/**
 * Returns the reason of a failed request in the words of Node.js, such as `connect ECONNREFUSED 127.0.0.1:1`. If a host
 * has several IP addresses, each attempt has its own error.
 */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(error instanceof FetchError)) return message;
  if (error.kind === 'too-large') return `the response is larger than ${error.maxBytes} bytes`;
  if (error.kind !== 'network' || !(cause instanceof Error)) return message;
  if (cause instanceof AggregateError) return cause.errors.map((each: Error) => each.message).join('; ');
  return cause.message || (error.code ?? message);
}

function codeOf(cause: unknown): string | undefined {
  return (cause as NodeJS.ErrnoException | undefined)?.code;
}
