/** Wraps a data key: a key service, a security module, or a key in a file. */
export interface KeyWrapper {
  /** For display: `transit/lockkeeper at https://vault.example.com`. Never a secret. */
  readonly name: string;
  /**
   * @param context the context that must be given to unwrap the key
   * @returns printable ASCII
   * @throws WrapFailure
   */
  wrap(key: Uint8Array, context: string, signal: AbortSignal): Promise<string>;
  /** @throws WrapFailure, also if the result is not a key of KEY_BYTES */
  unwrap(wrapped: string, context: string, signal: AbortSignal): Promise<Uint8Array>;
}

/**
 * Reason why a key could not be wrapped or unwrapped, with advice: for the operator and the log. Never quotes a
 * response.
 */
export class WrapFailure extends Error {
  override readonly name = 'WrapFailure';
  /** Whether a retry may succeed: the service could not be reached, or is temporarily unavailable. */
  readonly isPassing: boolean;

  constructor(reason: string, { isPassing = false } = {}) {
    super(reason);
    this.isPassing = isPassing;
  }
}

/** Returns a temporary failure. */
export function passing(reason: string): WrapFailure {
  return new WrapFailure(reason, { isPassing: true });
}

/** @throws WrapFailure if the text is not a key */
export function keyOf(base64: unknown): Uint8Array {
  const key = Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== base64)
    throw new WrapFailure(`the response is not a key of ${KEY_BYTES} bytes: check the URL and the name of the key`);
  return new Uint8Array(key);
}

/** Length of the data key. */
export const KEY_BYTES = 32;
