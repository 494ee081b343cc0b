/** Bytes or text that are not what they should be. The only thing the parsers of this folder throw on hostile input. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
}
