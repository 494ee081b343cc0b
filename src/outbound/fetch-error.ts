/**
 * Why nothing usable came back:
 * - `denied`: the URL or an address that it leads to is not one that we go to
 * - `timeout`: the time for the whole of it was up
 * - `aborted`: the caller gave up
 * - `network`: no such name, no connection, or one that broke
 * - `status`: a status that the caller did not ask for (`FetchError#status`)
 * - `redirect`: a redirect too many, or to nowhere
 * - `too-large`: more bytes than the caller takes
 * - `encoding`: content in an encoding that was not asked for and that is not read, or not in the one that it names
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

/** The only error of a guarded fetch. Its message is for administrators: it names hosts and addresses. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly kind: FetchErrorKind;
  /** Of kind `status` only. */
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

/** Of an error that a connection came to. */
export function networkError(cause: unknown): FetchError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new FetchError('network', `the connection failed: ${code ?? message}`, { cause });
}
