/**
 * Bytes or text that are not what they should be. The only thing the parsers of this folder throw on hostile input. The message
 * names the field and the fault: `name constraints: an empty list of subtrees`.
 */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  /** The fault without the field. */
  readonly fault: string;
  /** The fields that the fault is in, the outermost first; empty where the whole cannot be read. */
  readonly fields: readonly string[];

  constructor(fault: string, fields: readonly string[] = []) {
    super([...fields, fault].join(': '));
    this.fault = fault;
    this.fields = fields;
  }
}

/** Returns what `read` returns. A `ParseError` out of it is thrown again with the name of the field in front. */
export function inField<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ParseError) throw new ParseError(error.fault, [field, ...error.fields]);
    throw error;
  }
}
