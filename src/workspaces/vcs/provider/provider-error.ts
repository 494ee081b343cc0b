/**
 * Kind of a failure at a provider. refused: the credential is not valid. forbidden: the credential has no permission.
 * limited: too many requests. unreachable: no response, or the provider has a fault. invalid: a response or delivery
 * that cannot be read. rejected: the provider does not accept the request.
 */
export type ProviderErrorKind = 'refused' | 'forbidden' | 'limited' | 'unreachable' | 'invalid' | 'rejected';

/** Failure of a request to a provider. The message is for the owner of the connection and has no secret. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** Milliseconds until another request makes sense, if the provider says so. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: ProviderErrorKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Returns whether the same request may succeed later without a change by a person. */
  get isTemporary(): boolean {
    return this.kind === 'limited' || this.kind === 'unreachable';
  }
}
