import { JsonScanner, type JsonVisitor, type Wanted } from '../../lib/long-json/json-scanner.ts';

/** Members of a state at its top level. */
export interface StateHead {
  readonly serial: number | undefined;
  readonly lineage: string | undefined;
}

/** @limit serial or lineage of a state in a migration, bytes of JSON -> it counts as missing */
const MAX_FACT = 1_024;
const WANTED: ReadonlySet<string> = new Set(['serial', 'lineage']);

/**
 * Reads serial and lineage of a state in constant memory. It works for states of any size, and for encrypted ones of
 * OpenTofu, which have both in clear.
 */
export class StateHeadReader implements JsonVisitor {
  readonly #scanner = new JsonScanner(this, MAX_FACT);
  readonly #found = new Map<string, unknown>();

  /** Whether both were found. */
  get isComplete(): boolean {
    return this.#found.size === WANTED.size;
  }

  write(bytes: Uint8Array): void {
    if (!this.isComplete) this.#scanner.feed(bytes);
  }

  end(): StateHead {
    const [serial, lineage] = [this.#found.get('serial'), this.#found.get('lineage')];
    return {
      serial: typeof serial === 'number' && Number.isSafeInteger(serial) && serial >= 0 ? serial : undefined,
      lineage: typeof lineage === 'string' && lineage !== '' ? lineage : undefined,
    };
  }

  want([key]: readonly string[]): Wanted {
    if (key === undefined) return 'enter';
    return WANTED.has(key) ? 'capture' : 'skip';
  }

  captured([key = '']: readonly string[], json = 'null'): void {
    try {
      this.#found.set(key, JSON.parse(json));
    } catch {
      this.#found.delete(key);
    }
  }

  part(): void {}

  left(): void {}
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
