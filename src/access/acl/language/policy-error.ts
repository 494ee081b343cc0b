/** A fault in a policy, for its author: the position, the fault, and how to fix it. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
}

/**
 * Returns an error with line and column.
 * @param offset position in `text`, in UTF-16 units
 */
export function errorAt(text: string, offset: number, message: string): PolicyError {
  let line = 1;
  let begin = 0;
  for (let newline = text.indexOf('\n'); newline >= 0 && newline < offset; newline = text.indexOf('\n', begin)) {
    line++;
    begin = newline + 1;
  }
  return new PolicyError(`line ${line}, column ${offset - begin + 1}: ${message}`);
}

/** Quotes a piece of the policy in a message, shortened and on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
