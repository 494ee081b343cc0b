import { ACCEPTED } from './differences/accepted.ts';
import {
  type AcceptedClass,
  acceptedHere,
  type Compared,
  type Findings,
  isRead,
  otherValues,
  type RefusedClass,
  refusedHere,
  type ValueClass,
} from './differences/comparison.ts';
import { ACCEPTED_PATHS, REFUSED_PATHS } from './differences/paths.ts';
import { REFUSED } from './differences/refused.ts';
import { VALUES } from './differences/values.ts';
import type { Input } from './inputs.ts';
import { mutatedInputs } from './mutations/mutations.ts';
import { mutatedPaths } from './mutations/paths.ts';
import { readWithOurs } from './ours.ts';
import { installedCorpora, installedInputs, READERS, type Reader, readWith, versions } from './readers.ts';
import type { Reading } from './reading.ts';

/** Results of all parsers, and their differences by class. */
export interface Measured {
  /** Versions of the other parsers, as text. */
  readonly versions: string;
  readonly corpora: Readonly<Record<string, string>>;
  readonly all: readonly Compared[];
  readonly refused: Findings<RefusedClass>;
  readonly accepted: Findings<AcceptedClass>;
  readonly values: Findings<ValueClass>;
  readonly paths: readonly Compared[];
  readonly refusedPaths: Findings<RefusedClass>;
  readonly acceptedPaths: Findings<AcceptedClass>;
}

/** Parses the installed corpora and the mutations: takes a few seconds on two cores. */
export async function measure(): Promise<Measured> {
  const all = await readByAll([...installedInputs(), ...mutatedInputs()], READERS);
  const paths = comparable(await readByAll(mutatedPaths(), PATH_READERS));
  return {
    versions: versions(),
    corpora: installedCorpora(),
    all,
    refused: refusedHere(all, REFUSED),
    accepted: acceptedHere(all, ACCEPTED),
    values: otherValues(all, VALUES),
    paths,
    refusedPaths: refusedHere(paths, REFUSED_PATHS),
    acceptedPaths: acceptedHere(paths, ACCEPTED_PATHS),
  };
}

/** pyca/cryptography requires the profile of public web certificates. */
const PATH_READERS: readonly Reader[] = ['Go', 'OpenSSL'];

async function readByAll(inputs: readonly Input[], readers: readonly Reader[]): Promise<Compared[]> {
  const readings = await Promise.all(readers.map((reader) => readWith(reader, inputs)));
  return inputs.map((input, i) => {
    const others = Object.fromEntries(readers.map((reader, r) => [reader, readings[r]?.[i]]));
    return { ...input, ours: readWithOurs(input), others };
  });
}

/** Parse errors of certificates are compared elsewhere. */
function comparable(paths: readonly Compared[]): Compared[] {
  const isUnread = (reading: Reading | undefined): boolean =>
    reading !== undefined && !isRead(reading) && reading.error.startsWith('unread');
  return paths
    .filter(({ ours }) => !isUnread(ours))
    .map((path) => {
      const others = Object.entries(path.others).filter(([, reading]) => !isUnread(reading));
      return { ...path, others: Object.fromEntries(others) };
    });
}
