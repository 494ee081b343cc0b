/** Something in the text of a policy that cannot be: where, what, and what to do about it. The message is for its author. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
}

/** @param offset of the place in `text`, in UTF-16 units */
export function errorAt(text: string, offset: number, message: string): PolicyError {
  let line = 1;
  let begin = 0;
  for (let newline = text.indexOf('\n'); newline >= 0 && newline < offset; newline = text.indexOf('\n', begin)) {
    line++;
    begin = newline + 1;
  }
  return new PolicyError(`line ${line}, column ${offset - begin + 1}: ${message}`);
}

/** A piece of the author's text, for a message: short and on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
