import { createReadStream } from 'node:fs';
import { parseExactJson } from '../../lib/exact-json/exact-json.ts';
import { JsonScanner, type JsonVisitor, type Wanted } from '../../lib/long-json/json-scanner.ts';
import { JobFailure } from '../ports.ts';

/** Number of bytes in each read of the file. */
const PIECE = 262_144;
/** @limit nesting depth of a plan that is read, levels -> resources in deeper modules are not counted */
const MAX_DEPTH = 128;

/** Selects values of a JSON text that are read one by one. */
export interface Part {
  /** Path to the values, outermost name first. `*` matches any name, and the values of a list. */
  readonly at: readonly string[];
  /** Name of members that are lists of values with the same structure as their parent: modules within modules. */
  readonly nested?: string;
  /** Filters the values by the names on their path. Default: all values. */
  isWanted?(keys: readonly string[]): boolean;
  /**
   * Receives a value.
   * @param value numbers keep the engine's notation
   * @param json the JSON text of the value
   */
  take(value: unknown, keys: readonly string[], json: string): void;
}

/**
 * Reads parts of a JSON file in order, as a stream: memory holds at most the largest part.
 * @param step subcommand that printed the file, for the error message
 * @throws JobFailure if the file is not JSON
 */
export async function readParts(path: string, step: string, parts: readonly Part[]): Promise<void> {
  const scanner = new JsonScanner(new PartsVisitor(parts), Number.POSITIVE_INFINITY, MAX_DEPTH);
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: PIECE })) scanner.feed(bytes);
    if (scanner.end()) return;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new JobFailure(`"${step}" did not print JSON`);
}

class PartsVisitor implements JsonVisitor {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  want(keys: readonly string[]): Wanted {
    const ways = this.#parts.map((part) => wayTo(part, keys));
    if (ways.includes('further')) return keys.length < MAX_DEPTH ? 'enter' : 'skip';
    return ways.includes('there') ? 'capture' : 'skip';
  }

  captured(keys: readonly string[], json = ''): void {
    const value = parseExactJson(json);
    for (const part of this.#parts) {
      if (wayTo(part, keys) === 'there') part.take(value, keys, json);
    }
  }

  part(): void {}

  left(): void {}
}

/** Returns `there` if the path is that of a part, `further` if a part may be below it, and otherwise undefined. */
function wayTo({ at, nested, isWanted }: Part, keys: readonly string[]): 'there' | 'further' | undefined {
  const names = nested === undefined ? keys : keys.filter((key, level) => key !== nested && keys[level - 1] !== nested);
  if (names.length > at.length || !names.every((name, level) => at[level] === '*' || at[level] === name))
    return undefined;
  if (names.length < at.length) return 'further';
  return (isWanted?.(keys) ?? true) ? 'there' : undefined;
}
