import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SUMS = 'SHA256SUMS';
/** `npm ci && npm run release` in a checkout of the commit. */
const BUILD_TYPE = 'urn:lockkeeper:release:1';

export interface Source {
  /** URL of the repository, if it has one. */
  readonly repository: string | undefined;
  /** Hash of the commit. */
  readonly commit: string;
  /** Whether the build has changes that are not in the commit. */
  readonly isChanged: boolean;
}

export interface Build {
  readonly version: string;
  readonly source: Source;
  /** Version of Node.js, which the build runs on and the executables contain. */
  readonly node: string;
  /** URL of the machine or service that builds. */
  readonly builder: string;
}

/**
 * Returns the provenance of the files of a folder. It has no time, so that the build is reproducible.
 * @see in-toto Statement v1 with a predicate SLSA Provenance v1
 */
export function provenance(folder: string, { version, source, node, builder }: Build): string {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: filesIn(folder).map((name) => ({ name, digest: { sha256: sha256(join(folder, name)) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { version },
        internalParameters: { uncommittedChanges: source.isChanged },
        resolvedDependencies: [
          { uri: uriOf(source), digest: { gitCommit: source.commit } },
          { uri: `pkg:npm/node@${node}` },
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
  return `${JSON.stringify(statement, undefined, 2)}\n`;
}

/** Returns the checksums of the files of a folder, as `sha256sum --check` reads them. */
export function checksums(folder: string): string {
  return filesIn(folder)
    .map((name) => `${sha256(join(folder, name))}  ${name}\n`)
    .join('');
}

const uriOf = ({ repository, commit }: Source): string =>
  repository === undefined ? `urn:git:${commit}` : `git+${repository}@${commit}`;

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith(SUMS))
    .sort();

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
