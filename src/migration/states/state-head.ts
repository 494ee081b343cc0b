/** Members of a state at its top level. */
export interface StateHead {
  readonly serial: number | undefined;
  readonly lineage: string | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const COLON = 0x3a;
const COMMA = 0x2c;
/** Text of a key or a value that is compared; longer ones are not needed. */
const KEPT_LENGTH = 1024;
const WANTED = new Set(['serial', 'lineage']);

/**
 * Reads serial and lineage of a state without parsing it, byte by byte and in constant memory. It works for states of
 * any size, and for encrypted ones of OpenTofu, which have both in clear.
 */
export class StateHeadReader {
  readonly #found = new Map<string, string>();
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #key = '';
  #text = '';
  #isValue = false;

  /** Whether both were found. */
  get isComplete(): boolean {
    return this.#found.size === WANTED.size;
  }

  write(bytes: Uint8Array): void {
    if (this.isComplete) return;
    for (const byte of bytes) this.#next(byte);
  }

  end(): StateHead {
    const serial = Number(this.#found.get('serial') ?? Number.NaN);
    const lineage = textOf(this.#found.get('lineage'));
    return {
      serial: Number.isSafeInteger(serial) && serial >= 0 ? serial : undefined,
      lineage: lineage === undefined || lineage === '' ? undefined : lineage,
    };
  }

  #next(byte: number): void {
    if (this.#isText) this.#inText(byte);
    else this.#outsideText(byte);
  }

  #outsideText(byte: number): void {
    if (byte === QUOTE) this.#isText = true;
    else if (OPENING.has(byte)) this.#depth++;
    else if (CLOSING.has(byte)) {
      if (this.#depth === 1) this.#endMember();
      this.#depth--;
    }
    if (this.#depth !== 1 || OPENING.has(byte) || CLOSING.has(byte)) return;
    if (byte === COLON && !this.#isValue) this.#startValue();
    else if (byte === COMMA) this.#endMember();
    else this.#keep(byte);
  }

  #inText(byte: number): void {
    if (this.#depth === 1) this.#keep(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }

  #keep(byte: number): void {
    if (this.#text.length < KEPT_LENGTH) this.#text += String.fromCharCode(byte);
  }

  #startValue(): void {
    this.#key = textOf(this.#text) ?? '';
    this.#text = '';
    this.#isValue = true;
  }

  #endMember(): void {
    if (this.#isValue && WANTED.has(this.#key)) this.#found.set(this.#key, this.#text);
    this.#text = '';
    this.#isValue = false;
  }
}

/** Returns the value of a JSON string. */
function textOf(json: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a state until it knows serial and lineage. */
export async function readHead(source: AsyncIterable<Uint8Array>): Promise<StateHead> {
  const reader = new StateHeadReader();
  for await (const bytes of source) {
    reader.write(bytes);
    if (reader.isComplete) break;
  }
  return reader.end();
}
