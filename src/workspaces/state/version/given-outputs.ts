import { parseExactJson } from '../../../lib/exact-json/exact-json.ts';
import { JsonScanner, type JsonVisitor, type Wanted } from '../../../lib/long-json/json-scanner.ts';
import { type Output, outputOf } from '../reader/outputs.ts';
import { MAX_OUTPUT_BYTES, MAX_OUTPUTS } from '../reader/state-reader.ts';

const OPEN = 0x7b;
const FIRST = /[^ \n\r\t]/;

/**
 * Parses a client's list of outputs: a JSON object of names with values and types. The limits are those of outputs in
 * a state. Returns undefined if the input is invalid.
 */
export async function readGivenOutputs(source: AsyncIterable<Buffer>): Promise<Output[] | undefined> {
  const reader = new GivenOutputsReader();
  for await (const piece of source) reader.feed(piece);
  return reader.end();
}

class GivenOutputsReader implements JsonVisitor {
  readonly #scanner = new JsonScanner(this, MAX_OUTPUT_BYTES);
  readonly #outputs = new Map<string, Output>();
  #isObject: boolean | undefined;
  #isJson = true;

  feed(piece: Buffer): void {
    if (this.#isObject === undefined) {
      const first = FIRST.exec(piece.toString('latin1'));
      if (first) this.#isObject = piece[first.index] === OPEN;
    }
    if (this.#isObject !== false) this.#scanner.feed(piece);
  }

  end(): Output[] | undefined {
    if (!this.#scanner.end() || !this.#isObject || !this.#isJson) return undefined;
    return [...this.#outputs.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  want(keys: readonly string[]): Wanted {
    return keys.length === 0 ? 'enter' : 'capture';
  }

  captured(keys: readonly string[], json: string | undefined): void {
    const [name = ''] = keys;
    try {
      const given = json === undefined ? undefined : parseExactJson(json);
      if (this.#outputs.has(name) || this.#outputs.size < MAX_OUTPUTS) this.#outputs.set(name, outputOf(name, given));
    } catch {
      this.#isJson = false;
    }
  }

  part(): void {}

  left(): void {}
}
