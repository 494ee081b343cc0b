import { type S3Objects, StorageError } from '../../storage/index.ts';
import { type BackupDestination, Counted, type StoredBackup } from './destination.ts';
import { isName, NAMES_BEGIN } from './names.ts';

/** Backups as objects of a bucket. */
export class S3Destination implements BackupDestination {
  readonly address: string;
  readonly #objects: S3Objects;

  constructor(address: string, objects: S3Objects) {
    this.address = address;
    this.#objects = objects;
  }

  async write(name: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const there = await this.#objects.list(name);
    if (there.some((found) => found.name === name))
      throw new StorageError(`${this.address}${name} already exists: choose another name`);
    const counted = new Counted(content);
    await this.#objects.put(name, counted);
    return counted.bytes;
  }

  async read(name: string, most?: number): Promise<AsyncIterable<Uint8Array>> {
    const bytes = await this.#objects.get(name, most);
    if (bytes === undefined) throw new StorageError(`there is no ${this.address}${name}`);
    return bytes;
  }

  async list(): Promise<StoredBackup[]> {
    return (await this.#objects.list(NAMES_BEGIN)).filter(({ name }) => isName(name));
  }

  remove(name: string): Promise<void> {
    return this.#objects.delete(name);
  }

  sweep(before: number): Promise<void> {
    return this.#objects.abandonUploads(NAMES_BEGIN, isName, before);
  }

  close(): void {
    this.#objects.close();
  }
}
