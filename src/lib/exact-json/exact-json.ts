/** A JSON number that a JavaScript number cannot represent or would write differently. Holds its text. */
export class ExactNumber {
  /** The number in the syntax of RFC 8259. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Rounds in runtimes without `JSON.rawJSON` (browsers older than 2025). */
  toJSON(): unknown {
    return rawJSON === undefined ? Number(this.text) : rawJSON(this.text);
  }

  toString(): string {
    return this.text;
  }
}

const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

/**
 * Matches numbers that may need an `ExactNumber`: 16 characters or more, an exponent, zeros at the end of a fraction,
 * many zeros at its start, or minus zero. JavaScript writes all others as they were read, because a double holds 15
 * digits. The pattern may also match inside a string.
 */
const SUSPECT = /(?:^|[[,:\s])-?(?:[\d.]{16,}|\d+(?:\.\d+)?[eE][+-]?\d+|\d+\.\d*0|0\.0{6}\d*|(?<=-)0)(?=[\s,\]}]|$)/;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/**
 * Marks the text of a number until it is replaced. The mark is random and never leaves this module, so no document can
 * contain it.
 */
const MARK = crypto.getRandomValues(new Uint32Array(2)).join();
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

/**
 * Parses JSON like `JSON.parse`, but without rounding: a number that JavaScript would write differently becomes an
 * `ExactNumber`, which `JSON.stringify` writes as it was read. A reviver with `context.source` would take at least ten
 * times as long.
 * @throws SyntaxError
 */
export function parseExactJson(json: string): unknown {
  if (!SUSPECT.test(json)) return JSON.parse(json);
  const marked = withMarks(json);
  if (marked === json) return JSON.parse(json);
  let value: unknown;
  try {
    value = JSON.parse(marked);
  } catch {
    // Parses the original text again, so that the error message is about it.
    return JSON.parse(json);
  }
  return restored(value);
}

/** Replaces each such number by a list with one marked string. A list is valid only where a number is valid. */
function withMarks(json: string): string {
  let text = '';
  let copied = 0;
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
    } else if (code === MINUS || isDigit(code)) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(json)?.[0] ?? '-';
      const end = at + number.length;
      if (String(Number(number)) !== number) {
        text += `${json.slice(copied, at)}["${MARK}${number}"]`;
        copied = end;
      }
      at = end;
    } else {
      at++;
    }
  }
  return text + json.slice(copied);
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Returns the position behind the closing quote. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (json.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return json.length;
}

/** Replaces the marks by their numbers. The function does not recurse, because the input determines the depth. */
function restored(value: unknown): unknown {
  const root = [value];
  const open: object[] = [root];
  const next = (inner: unknown): ExactNumber | undefined => {
    if (typeof inner !== 'object' || inner === null) return undefined;
    const number = numberIn(inner);
    if (number === undefined) open.push(inner);
    return number;
  };
  for (let outer = open.pop(); outer !== undefined; outer = open.pop()) {
    if (Array.isArray(outer)) {
      for (let at = 0; at < outer.length; at++) outer[at] = next(outer[at]) ?? outer[at];
      continue;
    }
    for (const key of Object.keys(outer)) {
      const number = next((outer as Record<string, unknown>)[key]);
      // An assignment to `__proto__` would set the prototype.
      if (number) Object.defineProperty(outer, key, { ...PLAIN, value: number });
    }
  }
  return root[0];
}

const PLAIN = { writable: true, enumerable: true, configurable: true };

function numberIn(value: object): ExactNumber | undefined {
  const text: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof text === 'string' && text.startsWith(MARK) ? new ExactNumber(text.slice(MARK.length)) : undefined;
}

/** Returns whether a JSON value has parts, which means that it is a list or an object. */
export const hasParts = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** Returns whether a JSON value is a number. */
export const isJsonNumber = (value: unknown): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

/**
 * Returns whether two JSON values are equal: numbers by their value (1.0 is 1), objects with their members in any
 * order.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (isJsonNumber(one) && isJsonNumber(other)) return canonical(String(one)) === canonical(String(other));
  if (!hasParts(one) || !hasParts(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  const [mine, others] = [one, other] as unknown as readonly Readonly<Record<string, unknown>>[];
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(mine?.[key], others?.[key]))
  );
}

/** Returns one text for all spellings of a number: `-12e3` for `-12000.0`. */
function canonical(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = BigInt(exponent) + BigInt(digits.length - significant.length - fraction.length);
  return `${sign}${significant}e${power}`;
}
