import type { Counts } from '../ports.ts';

/** @limit line of an engine that is searched for the summary, bytes -> a longer line is ignored */
const MAX_LINE = 65_536;
const APPLIED =
  /^(?:Apply|Destroy) complete! Resources: (?:(\d+) imported, )?(?:(\d+) added, (\d+) changed, )?(\d+) destroyed/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
const COLOUR = /\u001b\[[\d;]*m/g;

/** Reads the number of changed resources from the output of an engine. */
export class Summary {
  #line = '';
  #isTooLong = false;
  #counts: Counts | null = null;

  /** Counts of changed resources; null if the engine printed no summary. */
  get counts(): Counts | null {
    return this.#counts;
  }

  /** Adds output of the engine. */
  next(bytes: Uint8Array): void {
    const lines = Buffer.from(bytes).toString('latin1').split('\n');
    for (const [n, text] of lines.entries()) {
      if (n > 0) this.#lineEnds();
      this.#isTooLong ||= this.#line.length + text.length > MAX_LINE;
      this.#line = this.#isTooLong ? '' : this.#line + text;
    }
  }

  #lineEnds(): void {
    this.#counts = structured(this.#line) ?? plain(this.#line) ?? this.#counts;
    this.#line = '';
    this.#isTooLong = false;
  }
}

function structured(line: string): Counts | undefined {
  if (!line.startsWith('{') || !line.includes('"change_summary"')) return undefined;
  try {
    const { type, changes } = JSON.parse(line);
    if (type !== 'change_summary' || typeof changes !== 'object') return undefined;
    return counts(changes.import, changes.add, changes.change, changes.remove);
  } catch {
    return undefined;
  }
}

function plain(line: string): Counts | undefined {
  const found = APPLIED.exec(line.replaceAll(COLOUR, ''));
  return found === null ? undefined : counts(found[1], found[2], found[3], found[4]);
}

const counts = (imported: unknown, add: unknown, change: unknown, remove: unknown): Counts => ({
  additions: Number(add ?? 0),
  changes: Number(change ?? 0),
  destructions: Number(remove ?? 0),
  imports: Number(imported ?? 0),
});
