/** Between two names: no name contains it. */
export const SEPARATOR = '\n';

/**
 * The names of a list in their order, as one text: 100,000 of them take 3 MB, and are searched in a millisecond. They are
 * ASCII, so that a position is alike in lower case.
 */
export class Names {
  readonly #text: string;
  readonly #lower: string;
  /** Where each name begins, and at last where the next one would. */
  readonly #starts: Uint32Array;

  /** @param text the names, joined by SEPARATOR */
  constructor(text: string) {
    this.#text = text;
    const lower = text.toLowerCase();
    this.#lower = lower === text ? text : lower;
    const starts = [0];
    if (text !== '') {
      for (let at = text.indexOf(SEPARATOR); at !== -1; at = text.indexOf(SEPARATOR, at + 1)) starts.push(at + 1);
      starts.push(text.length + 1);
    }
    this.#starts = Uint32Array.from(starts);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** `size` names from the one at `offset`, from the beginning or, with `descending`, from the end. */
  page(offset: number, size: number, descending: boolean): string[] {
    const first = descending ? this.count - offset - size : offset;
    const names = Array.from({ length: size }, (_, i) => this.#at(first + i)).filter((name) => name !== undefined);
    return descending ? names.reverse() : names;
  }

  /** Those that are like a pattern, in which `*` stands for any characters, whatever the case. */
  like(pattern: string): Names {
    const parts = pattern.toLowerCase().split('*');
    const longest = parts.toSorted((one, other) => other.length - one.length)[0] ?? '';
    const found: string[] = [];
    // Only names with the longest part are looked at: the text is searched for it as a whole.
    let next = 0;
    let at = this.#lower.indexOf(longest);
    while (at !== -1 && next < this.count) {
      next = this.#after(at, next);
      const name = this.#at(next - 1);
      if (name !== undefined && isLike(name.toLowerCase(), parts)) found.push(name);
      at = this.#lower.indexOf(longest, this.#starts[next]);
    }
    return new Names(found.join(SEPARATOR));
  }

  #at(index: number): string | undefined {
    const [start, end] = [this.#starts[index], this.#starts[index + 1]];
    return start === undefined || end === undefined ? undefined : this.#text.slice(start, end - 1);
  }

  /** The number of the first name that begins behind a position; it is at least `low`. */
  #after(position: number, low: number): number {
    let [first, last] = [low, this.count];
    while (first < last) {
      const middle = (first + last) >>> 1;
      if ((this.#starts[middle] ?? 0) > position) last = middle;
      else first = middle + 1;
    }
    return first;
  }
}

/** Whether the parts follow one another in the name: the first one at its beginning, the last one at its end. */
function isLike(name: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.endsWith(last) && name.length - last.length >= at;
}
