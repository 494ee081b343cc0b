import { ArchiveProblem, findFile, folderInside } from '../../../archive/index.ts';
import { CONFIGURATION_BOUNDS } from '../../../lib/job/configuration-bounds.ts';
import { SharedWork } from '../../../lib/shared-work.ts';
import { type Blob, BlobMissing, type Blobs, type Database, findBlob } from '../../../storage/index.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { IncludeSource, Part, WorkspaceView } from '../../workspace/index.ts';
import type { ConfigurationVersion } from '../configuration-version/configuration-version.ts';
import type { ConfigurationVersions } from '../configuration-version/configuration-versions.ts';
import { ReadmeResource } from './resource.ts';
import * as store from './store.ts';

const MIB = 1_048_576;
const NAME = 'README.md';
/** @limit README of a workspace, bytes -> cut */
const MAX_README = MIB;
/**
 * @limit size of an archive whose README is read for a list of workspaces, bytes -> the workspace is shown without its
 * README until it is read alone
 */
const MAX_FOR_LIST = 4 * MIB;

/** Dependencies of `Readmes`. */
export interface ReadmesOptions {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly configurations: Pick<ConfigurationVersions, 'named'>;
}

/** An archive, and the working directory whose README is wanted. */
interface Wanted {
  readonly workspaceId: string;
  readonly version: ConfigurationVersion;
  readonly blobName: string;
  readonly workingDirectory: string;
}

/**
 * READMEs of the current configurations of workspaces. Each is extracted from its archive when it is first shown, one
 * after the other on a node, and then stored, encrypted with the key of the archive.
 */
export class Readmes {
  readonly #options: ReadmesOptions;
  readonly #reading = new SharedWork<string>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ReadmesOptions) {
    this.#options = options;
  }

  /** Source of `include=readme`. */
  readonly include: IncludeSource = async (_actor, workspaces) => {
    const wanted = await this.#wanted(workspaces.filter(({ permissions }) => permissions['can-read-run']));
    const known = await this.#known(wanted);
    const resources: Resource[] = [];
    const parts = new Map<string, Part>();
    for (const one of wanted) {
      const mayRead = wanted.length === 1 || one.version.size <= MAX_FOR_LIST;
      const text = known.get(keyOf(one)) ?? (mayRead ? await this.#read(one) : '');
      if (text === '') continue;
      const { id } = one.version;
      resources.push(ReadmeResource.document({ id, text }));
      parts.set(one.workspaceId, { relationships: { readme: toOne(ReadmeResource.type, id) } });
    }
    return { resources, parts };
  };

  async #wanted(workspaces: readonly WorkspaceView[]): Promise<Wanted[]> {
    const ids = workspaces.flatMap(({ current }) => current.configurationVersionId ?? []);
    const versions = new Map((await this.#options.configurations.named(ids)).map((version) => [version.id, version]));
    return workspaces.flatMap(({ id: workspaceId, current, settings }) => {
      const version = versions.get(current.configurationVersionId ?? '');
      if (version?.status !== 'uploaded' || version.backing !== 'kept' || version.blobName === null) return [];
      const workingDirectory = insideOf(settings['working-directory'] ?? '');
      return [{ workspaceId, version, blobName: version.blobName, workingDirectory }];
    });
  }

  async #known(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, string>> {
    const { blobs, database } = this.#options;
    const all = (name: 'blobName' | 'workingDirectory') => [...new Set(wanted.map((one) => one[name]))];
    const rows = await store.storedReadmes(database, all('blobName'), all('workingDirectory'));
    const known = new Map<string, string>();
    for (const row of rows) {
      const blob = await findBlob(database, row.blobName);
      if (blob !== undefined) known.set(keyOf(row), textOf(blobs.open(blob, store.PURPOSE, row.content)));
    }
    return known;
  }

  #read(wanted: Wanted): Promise<string> {
    return this.#reading.once(keyOf(wanted), () => {
      const read = this.#queue.then(() => this.#extract(wanted));
      this.#queue = read.catch(() => undefined);
      return read;
    });
  }

  async #extract({ blobName, workingDirectory }: Wanted): Promise<string> {
    const { blobs, database } = this.#options;
    const blob = await findBlob(database, blobName);
    if (blob === undefined) return '';
    const names = workingDirectory === '' ? [NAME] : [`${workingDirectory}/${NAME}`, NAME];
    const found = await this.#find(blob, names);
    if (found === undefined) return '';
    await store.insertReadme(database, { blobName, workingDirectory, content: blobs.seal(blob, store.PURPOSE, found) });
    return textOf(found);
  }

  /** Returns an empty file if there is none; undefined if the archive is missing. */
  async #find(blob: Blob, names: readonly string[]): Promise<Uint8Array | undefined> {
    try {
      const found = await findFile(this.#options.blobs.read(blob), names, CONFIGURATION_BOUNDS, MAX_README);
      return found ?? new Uint8Array();
    } catch (error) {
      if (error instanceof BlobMissing) return undefined;
      if (error instanceof ArchiveProblem) return new Uint8Array();
      throw error;
    }
  }
}

const keyOf = ({ blobName, workingDirectory }: Pick<Wanted, 'blobName' | 'workingDirectory'>) =>
  `${blobName}/${workingDirectory}`;

/** The last character may be cut in the middle. */
const textOf = (content: Uint8Array) =>
  Buffer.from(content)
    .toString()
    .replace(/^\uFEFF/, '')
    .replace(/\uFFFD+$/, '');

/** Returns the position of a working directory in the archive; the root for one that no archive has. */
function insideOf(workingDirectory: string): string {
  try {
    return folderInside(workingDirectory);
  } catch {
    return '';
  }
}
