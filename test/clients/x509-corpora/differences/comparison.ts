import type { Input, Kind } from '../inputs.ts';
import { READERS, type Reader } from '../readers.ts';
import type { Fields, Reading } from '../reading.ts';

/** One input, with the result of each parser. */
export interface Compared extends Input {
  readonly ours: Reading;
  /** Excludes parsers that do not support such inputs, or whose result is compared elsewhere. */
  readonly others: Readonly<Partial<Record<Reader, Reading>>>;
}

interface Class {
  /** Name of the class on the page, a noun phrase. */
  readonly what: string;
  readonly reason: string;
  readonly kinds?: readonly Kind[];
}

/** Inputs that Lockkeeper refuses and another parser accepts. */
export interface RefusedClass extends Class {
  /** Pattern of Lockkeeper's message. */
  readonly message: RegExp;
  /** Whether the class also covers inputs that all other parsers accept. Without it these inputs stay unexplained. */
  readonly readByAll?: true;
}

/** Inputs that Lockkeeper accepts and another parser refuses. */
export interface AcceptedClass extends Class {
  /** Messages of the parsers that refuse the input. */
  readonly messages: Readonly<Partial<Record<Reader, RegExp>>>;
  /** Whether the class also covers inputs that all other parsers refuse. */
  readonly refusedByAll?: true;
}

/** Inputs from which another parser reads another value. */
export interface ValueClass extends Class {
  readonly field: string;
  readonly readers: readonly Reader[];
  /** Receives the result of each parser for the whole input. */
  isExpected(ours: Fields, theirs: Fields): boolean;
}

/** Number of files and mutations in a class, and for refusals the number for each parser. */
export interface Count<C extends Class> {
  readonly class: C;
  files: number;
  mutations: number;
  readonly readers: Map<Reader, number>;
}

/** All classes with their inputs, and one line for each input that belongs to no class. */
export interface Findings<C extends Class> {
  readonly counts: readonly Count<C>[];
  readonly unexplained: readonly string[];
}

export function refusedHere(all: readonly Compared[], classes: readonly RefusedClass[]): Findings<RefusedClass> {
  const tally = new Tally(classes);
  for (const compared of all) {
    const { ours, others, kind } = compared;
    const present = READERS.filter((reader) => others[reader] !== undefined);
    const readers = present.filter((reader) => isRead(others[reader]));
    if (isRead(ours) || readers.length === 0) continue;
    const found = classes.find(
      ({ message, readByAll = false, kinds = [kind] }) =>
        kinds.includes(kind) && message.test(ours.error) && (readByAll || readers.length < present.length),
    );
    tally.add(compared, found, readers, `${ours.error}; read by ${readers.join(', ')}`);
  }
  return tally;
}

export function acceptedHere(all: readonly Compared[], classes: readonly AcceptedClass[]): Findings<AcceptedClass> {
  const tally = new Tally(classes);
  for (const compared of all) {
    const { ours, others, kind } = compared;
    if (!isRead(ours)) continue;
    const refusals = READERS.flatMap((reader) => {
      const reading = others[reader];
      return reading === undefined || isRead(reading) ? [] : [{ reader, error: reading.error }];
    });
    const explains = (one: AcceptedClass, { reader, error }: (typeof refusals)[number]): boolean =>
      (one.kinds ?? [kind]).includes(kind) && one.messages[reader]?.test(error) === true;
    // An input that all other parsers refuse needs one class that explains all refusals.
    const alone = refusals.length === Object.keys(others).length;
    const candidates = alone
      ? classes.filter((one) => one.refusedByAll && refusals.every((refusal) => explains(one, refusal)))
      : classes;
    for (const refusal of refusals) {
      const found = candidates.find((one) => explains(one, refusal));
      const others = alone ? ', as the others do' : '';
      tally.add(compared, found, [refusal.reader], `${refusal.reader} refuses it${others}: ${refusal.error}`);
    }
  }
  return tally;
}

export function otherValues(all: readonly Compared[], classes: readonly ValueClass[]): Findings<ValueClass> {
  const tally = new Tally(classes);
  for (const compared of all) {
    const { ours, others, kind } = compared;
    if (!isRead(ours)) continue;
    for (const reader of READERS) {
      const reading = others[reader];
      if (!isRead(reading)) continue;
      for (const [field, theirs] of Object.entries(reading.fields)) {
        const value = ours.fields[field];
        if (value === undefined) throw new Error(`${reader} has a field of its own: ${field}`);
        if (JSON.stringify(value) === JSON.stringify(theirs)) continue;
        const found = classes.find(
          (one) =>
            one.field === field &&
            one.readers.includes(reader) &&
            (one.kinds ?? [kind]).includes(kind) &&
            one.isExpected(ours.fields, reading.fields),
        );
        tally.add(compared, found, [reader], `${field}: ${JSON.stringify([value, theirs])} of ${reader}`);
      }
    }
  }
  return tally;
}

export function isRead(reading: Reading | undefined): reading is { readonly fields: Fields } {
  return reading !== undefined && 'fields' in reading;
}

export function isMutation({ name }: Input): boolean {
  return name.startsWith('mutations/');
}

class Tally<C extends Class> implements Findings<C> {
  readonly counts: readonly Count<C>[];
  readonly unexplained: string[] = [];
  readonly #inputs = new Map<C, Set<Input>>();

  constructor(classes: readonly C[]) {
    this.counts = classes.map((one) => ({ class: one, files: 0, mutations: 0, readers: new Map() }));
  }

  /** Counts an input. An input can be passed again for another parser. */
  add(input: Input, found: C | undefined, readers: readonly Reader[], text: string): void {
    const count = this.counts.find((one) => one.class === found);
    if (found === undefined || count === undefined) {
      this.unexplained.push(`${input.name} (${input.kind}): ${text}`);
      return;
    }
    for (const reader of readers) count.readers.set(reader, (count.readers.get(reader) ?? 0) + 1);
    const inputs = this.#inputs.get(found) ?? new Set();
    this.#inputs.set(found, inputs);
    if (inputs.has(input)) return;
    inputs.add(input);
    if (isMutation(input)) count.mutations += 1;
    else count.files += 1;
  }
}
