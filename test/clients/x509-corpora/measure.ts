import { ACCEPTED } from './differences/accepted.ts';
import {
  type AcceptedClass,
  acceptedHere,
  type Compared,
  type Findings,
  otherValues,
  type RefusedClass,
  refusedHere,
  type ValueClass,
} from './differences/comparison.ts';
import { REFUSED } from './differences/refused.ts';
import { VALUES } from './differences/values.ts';
import { mutatedInputs } from './mutations/mutations.ts';
import { readWithOurs } from './ours.ts';
import { installedCorpora, installedInputs, READERS, type Reader, readWith, versions } from './readers.ts';
import type { Reading } from './reading.ts';

/** What comes of reading everything with everybody. */
export interface Measured {
  /** Versions of the others, in words. */
  readonly versions: string;
  readonly corpora: Readonly<Record<string, string>>;
  readonly all: readonly Compared[];
  readonly refused: Findings<RefusedClass>;
  readonly accepted: Findings<AcceptedClass>;
  readonly values: Findings<ValueClass>;
}

/** Reads the corpora that are installed, and the mutations: a few seconds of two processors. */
export async function measure(): Promise<Measured> {
  const inputs = [...installedInputs(), ...mutatedInputs()];
  const readings = await Promise.all(READERS.map((reader) => readWith(reader, inputs)));
  const all = inputs.map((input, i): Compared => {
    const others = Object.fromEntries(READERS.map((reader, r) => [reader, readings[r]?.[i]]));
    return { ...input, ours: readWithOurs(input), others: others as Record<Reader, Reading> };
  });
  return {
    versions: versions(),
    corpora: installedCorpora(),
    all,
    refused: refusedHere(all, REFUSED),
    accepted: acceptedHere(all, ACCEPTED),
    values: otherValues(all, VALUES),
  };
}
