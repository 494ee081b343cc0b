/**
 * Thrown for invalid bytes or text. It is the only error that the parsers of this folder throw on hostile input. The
 * message contains the field and the fault: `name constraints: an empty list of subtrees`.
 */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  /** The fault without the field. */
  readonly fault: string;
  /** Fields with the fault, the outermost first; empty if the whole cannot be read. */
  readonly fields: readonly string[];

  constructor(fault: string, fields: readonly string[] = []) {
    super([...fields, fault].join(': '));
    this.fault = fault;
    this.fields = fields;
  }
}

/** Returns the result of `read`. A `ParseError` from it is thrown again with the name of the field in front. */
export function inField<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ParseError) throw new ParseError(error.fault, [field, ...error.fields]);
    throw error;
  }
}
