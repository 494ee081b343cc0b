/**
 * Reason why a fetch failed:
 * - `denied`: the URL or one of its IP addresses is not allowed
 * - `timeout`: the whole fetch took too long
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

/** The only error of a guarded fetch. Its message is for administrators, because it names hosts and IP addresses. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly kind: FetchErrorKind;
  /** Set for the kind `status` only. */
  readonly status: number | undefined;

  constructor(
    kind: FetchErrorKind,
    message: string,
    options: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
  }
}

/** Converts the error of a connection. */
export function networkError(cause: unknown): FetchError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new FetchError('network', `the connection failed: ${code ?? message}`, { cause });
}
