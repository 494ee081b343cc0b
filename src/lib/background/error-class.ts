const CODE = /^[A-Z0-9_]{3,30}$/;
const NAME = /^[A-Za-z]{3,40}$/;

/**
 * Returns the kind of an error, such as `ECONNREFUSED`, `23505` or `TypeError`. It never contains the message, which may
 * hold a secret, a path or a name.
 */
export function errorClass(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { readonly code?: unknown };
    if (typeof code === 'string' && CODE.test(code)) return code;
  }
  const { name } = error instanceof Error ? error : new Error();
  return NAME.test(name) ? name : 'Error';
}

/** Returns whether a text that another process sent is the class of an error. */
export const isErrorClass = (text: string): boolean => CODE.test(text) || NAME.test(text);
