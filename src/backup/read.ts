import type { Keyring, Row, Table } from '../storage/index.ts';
import { type Header, openEnvelope } from './format/envelope.ts';
import { DamagedBackup, type Frame, framesOf } from './format/frames.ts';
import { type BlobRecord, type EndRecord, type ManifestRecord, toRecord, toRows } from './format/records.ts';

/** Consumer of the contents of a backup, in order. */
export interface BackupConsumer {
  manifest(manifest: ManifestRecord, header: Header): Promise<void>;
  rows(table: Table, rows: readonly Row[]): Promise<void>;
  /** Reads the blob to its end; the rest is skipped if it stops early. */
  blob(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Called last, after all announced rows and blobs arrived. */
  end(end: EndRecord): Promise<void>;
}

/**
 * Reads a backup from start to end.
 * @throws DamagedBackup if it is incomplete, KeyringError with another keyring
 */
export async function readBackup(
  source: AsyncIterable<Uint8Array>,
  keyring: Keyring,
  taker: BackupConsumer,
): Promise<void> {
  const { header, content } = await openEnvelope(source);
  const frames = new Frames(framesOf(content(keyring)));
  const manifest = await manifestOf(frames);
  if (manifest.id !== header.id) throw new DamagedBackup('the header belongs to another backup');
  await taker.manifest(manifest, header);
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  const counts = new Map<string, number>();
  let blobs = 0;
  for (;;) {
    const frame = await frames.next();
    if (frame?.kind !== 'record') throw new DamagedBackup('the backup is truncated');
    const record = toRecord(frame.record);
    if (record.kind === 'rows') {
      const table = tables.get(record.table);
      if (table === undefined)
        throw new DamagedBackup(`the backup has rows of ${record.table}, which its manifest does not list`);
      counts.set(table.name, (counts.get(table.name) ?? 0) + record.rows.length);
      await taker.rows(table, toRows(table, record));
    } else if (record.kind === 'blob') {
      blobs++;
      await takeBlob(frames, record, taker);
    } else if (record.kind === 'end') {
      requireAll(record, counts, blobs);
      if ((await frames.next()) !== undefined) throw new DamagedBackup('the backup has data after its end');
      await taker.end(record);
      return;
    } else {
      throw new DamagedBackup('the backup has two manifests');
    }
  }
}

/** Reader of frames with a look-ahead of one. */
class Frames {
  readonly #frames: AsyncGenerator<Frame>;
  #ahead: Frame | undefined;

  constructor(frames: AsyncGenerator<Frame>) {
    this.#frames = frames;
  }

  async next(): Promise<Frame | undefined> {
    const frame = await this.peekFrame();
    this.#ahead = undefined;
    return frame;
  }

  async peekFrame(): Promise<Frame | undefined> {
    this.#ahead ??= (await this.#frames.next()).value ?? undefined;
    return this.#ahead;
  }
}

async function manifestOf(frames: Frames): Promise<ManifestRecord> {
  const first = await frames.next();
  const record = first?.kind === 'record' ? toRecord(first.record) : undefined;
  if (record?.kind !== 'manifest') throw new DamagedBackup('the backup has no manifest');
  return record;
}

const BLOB_NAME = /^[0-9a-f]{32}$/;

async function takeBlob(frames: Frames, { name }: BlobRecord, taker: BackupConsumer): Promise<void> {
  // The name becomes the name of a file, so a backup must not choose it freely.
  if (!BLOB_NAME.test(name)) throw new DamagedBackup('the backup has a blob with an invalid name');
  async function* content(): AsyncGenerator<Uint8Array> {
    for (let next = await frames.peekFrame(); next?.kind === 'bytes'; next = await frames.peekFrame()) {
      await frames.next();
      yield next.bytes;
    }
  }
  await taker.blob(name, content());
  for await (const _ of content());
}

function requireAll({ rows, blobs }: EndRecord, counts: ReadonlyMap<string, number>, found: number): void {
  for (const [table, count] of Object.entries(rows)) {
    if ((counts.get(table) ?? 0) === count) continue;
    throw new DamagedBackup(`the backup has ${counts.get(table) ?? 0} of ${count} rows of ${table}`);
  }
  if (found !== blobs) throw new DamagedBackup(`the backup has ${found} of ${blobs} blobs`);
}
