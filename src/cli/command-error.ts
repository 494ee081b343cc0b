/** A text for the operator instead of a stack trace: what is wrong, and what to do about it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
