import type { S3Objects } from '../../storage/index.ts';
import { MigrationError } from '../model/errors.ts';
import type { StatePattern } from './pattern.ts';
import { type FoundState, MAX_FILES, type StatePlace } from './state-place.ts';

/** Access to a bucket besides its name. Credentials are those that the AWS SDK finds. */
export interface S3Access {
  readonly region: string;
  /** URL of a service other than AWS. */
  readonly endpoint?: string | undefined;
}

const S3 = /^s3:\/\/([^/]+)(?:\/(.*))?$/;

/** State files in a bucket. */
export class S3Place implements StatePlace {
  readonly name: string;
  readonly #objects: S3Objects;
  readonly #pattern: StatePattern;

  private constructor(name: string, objects: S3Objects, pattern: StatePattern) {
    this.name = name;
    this.#objects = objects;
    this.#pattern = pattern;
  }

  /** @param address `s3://bucket` or `s3://bucket/prefix` */
  static async open(address: string, access: S3Access, pattern: StatePattern): Promise<S3Place> {
    const [, bucket, folder = ''] = S3.exec(address) ?? [];
    if (bucket === undefined) throw new MigrationError('invalid', `${address}: expected s3://BUCKET/PREFIX`);
    const { S3Objects } = await import('../../storage/index.ts');
    const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
    const { region, endpoint } = access;
    const objects = await S3Objects.open({
      ...{ bucket, prefix, region, forcePathStyle: endpoint !== undefined },
      ...(endpoint !== undefined && { endpoint }),
    });
    return new S3Place(address, objects, pattern);
  }

  async list(): Promise<readonly FoundState[]> {
    const found = await this.#objects.list(this.#pattern.prefix);
    if (found.length > MAX_FILES) throw new MigrationError('failed', `${this.name} has more than ${MAX_FILES} files`);
    return found.map(({ name, bytes }) => ({
      path: name,
      state: { serial: undefined, size: bytes, open: () => this.#open(name) },
    }));
  }

  async #open(name: string): Promise<AsyncIterable<Uint8Array>> {
    const content = await this.#objects.get(name);
    if (content === undefined) throw new MigrationError('failed', `${name} was deleted during the import`);
    return content;
  }

  async close(): Promise<void> {
    this.#objects.close();
  }
}
