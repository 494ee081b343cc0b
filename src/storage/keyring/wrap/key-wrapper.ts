/** Whoever wraps a data key so that only they can unwrap it: a key service, a security module, a key that is put there. */
export interface KeyWrapper {
  /** For people: `transit/lockkeeper at https://vault.example.com`. Never a secret. */
  readonly name: string;
  /**
   * @param context whose key it is: the same context unwraps it
   * @returns printable ASCII
   * @throws WrapFailure
   */
  wrap(key: Uint8Array, context: string, signal: AbortSignal): Promise<string>;
  /** @throws WrapFailure, also for what is no key of KEY_BYTES */
  unwrap(wrapped: string, context: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Why a key was neither wrapped nor unwrapped, and what to do: for the operator and the log. Never what somebody answered. */
export class WrapFailure extends Error {
  override readonly name = 'WrapFailure';
  /** It may go well in a moment: nobody was reached, or they cannot answer now. */
  readonly isPassing: boolean;

  constructor(reason: string, { isPassing = false } = {}) {
    super(reason);
    this.isPassing = isPassing;
  }
}

/** A failure that may be over soon. */
export function passing(reason: string): WrapFailure {
  return new WrapFailure(reason, { isPassing: true });
}

/** @throws WrapFailure for what is no key */
export function keyOf(base64: unknown): Uint8Array {
  const key = Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== base64)
    throw new WrapFailure(
      `what came back is no key of ${KEY_BYTES} bytes: is it the right address, and the right key?`,
    );
  return new Uint8Array(key);
}

/** Of the data key. */
export const KEY_BYTES = 32;
