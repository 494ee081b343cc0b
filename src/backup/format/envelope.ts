import { hkdfSync, randomBytes } from 'node:crypto';
import { type Keyring, KeyringError, openChunks, sealChunks } from '../../storage/index.ts';
import { DamagedBackup } from './frames.ts';

type Bytes = AsyncIterable<Uint8Array>;

const MAGIC = 'LOCKKEEPER BACKUP\n';
const KEY_BYTES = 32;
/** @limit header of a backup, bytes -> the backup is refused as damaged */
export const MAX_HEADER = 16_384;

/** The unencrypted part of a backup. */
export interface Header {
  readonly format: 1;
  readonly id: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** Version of the program that created the backup. */
  readonly version: string;
  /** Fingerprint of the keyring, and the version of the key in it that encrypted the backup. */
  readonly fingerprint: string;
  readonly key: number;
}

interface Sealed extends Header {
  /** Data key of this backup, encrypted by the keyring (envelope encryption). Base64. */
  readonly data_key: string;
}

/**
 * Writes a backup: a line that identifies the format, a JSON line with the header, and the content in encrypted chunks
 * (storage/blobs/chunk-cipher.ts). Their key is derived from the data key and the header, so no other header matches.
 */
export async function* sealed(
  header: Pick<Header, 'id' | 'created_at' | 'version'>,
  keyring: Keyring,
  content: Bytes,
): Bytes {
  const key = randomBytes(KEY_BYTES);
  const whole: Sealed = {
    ...{ format: 1, ...header, fingerprint: keyring.fingerprint, key: keyring.version },
    data_key: Buffer.from(keyring.encrypt(key, contextOf(header.id))).toString('base64'),
  };
  const line = Buffer.from(`${MAGIC}${JSON.stringify(whole)}\n`);
  yield line;
  yield* sealChunks(contentKey(key, line), content);
}

/** A backup whose header was read. */
export interface Opened {
  readonly header: Header;
  /** @throws DamagedBackup if a byte was changed or is missing, KeyringError with another keyring */
  content(keyring: Keyring): Bytes;
}

/**
 * Reads the header; the content is read on request.
 * @throws DamagedBackup if this is not a backup, or has a newer format
 */
export async function openEnvelope(source: Bytes): Promise<Opened> {
  const parts = source[Symbol.asyncIterator]();
  const { line, rest } = await headOf(parts);
  const { data_key, ...header } = parse(line.toString('utf8', MAGIC.length));
  async function* sealedContent(): Bytes {
    yield rest;
    for (let part = await parts.next(); !part.done; part = await parts.next()) yield part.value;
  }
  return {
    header,
    content: (keyring) => opened(contentKey(keyOf(header, data_key, keyring), line), sealedContent()),
  };
}

async function headOf(parts: AsyncIterator<Uint8Array>): Promise<{ readonly line: Buffer; readonly rest: Buffer }> {
  let head: Buffer = Buffer.alloc(0);
  for (;;) {
    const { value, done } = await parts.next();
    if (done) throw new DamagedBackup('this is not a backup, or only its beginning');
    // The source may reuse the memory for the next part.
    head = Buffer.concat([head, value]);
    if (!MAGIC.startsWith(head.toString('latin1', 0, MAGIC.length))) throw new DamagedBackup('this is not a backup');
    const end = head.indexOf('\n', MAGIC.length);
    if (end >= 0) return { line: head.subarray(0, end + 1), rest: head.subarray(end + 1) };
    if (head.length > MAX_HEADER) throw new DamagedBackup('the backup has a header that cannot be read');
  }
}

function parse(text: string): Sealed {
  let header: Partial<Sealed> | null;
  try {
    header = JSON.parse(text);
  } catch (cause) {
    throw new DamagedBackup('the backup has a header that cannot be read', { cause });
  }
  if (typeof header?.format !== 'number') throw new DamagedBackup('the backup has a header that cannot be read');
  if (header.format !== 1) {
    throw new DamagedBackup(
      `the backup has the format ${header.format}, which this version does not know: use a newer version`,
    );
  }
  const { key, ...texts } = header;
  for (const field of ['id', 'created_at', 'version', 'fingerprint', 'data_key'] as const) {
    if (typeof texts[field] !== 'string') throw new DamagedBackup('the backup has a header that cannot be read');
  }
  if (!Number.isSafeInteger(key)) throw new DamagedBackup('the backup has a header that cannot be read');
  return header as Sealed;
}

function keyOf({ id, fingerprint, key }: Header, dataKey: string, keyring: Keyring): Uint8Array {
  if (fingerprint !== keyring.fingerprint) {
    throw new KeyringError(
      `the backup belongs to another keyring (fingerprint ${fingerprint}, ours is ${keyring.fingerprint}): use the keyring file of the server that created it`,
    );
  }
  if (!keyring.versions.includes(key)) {
    throw new KeyringError(
      `key ${key} of the keyring encrypted the backup, and is no longer in it: use a copy of the keyring that still has it`,
    );
  }
  try {
    return keyring.decrypt(Buffer.from(dataKey, 'base64'), contextOf(id));
  } catch (cause) {
    throw new DamagedBackup('the header of the backup was changed, or belongs to another backup', { cause });
  }
}

async function* opened(key: Uint8Array, content: Bytes): Bytes {
  let bytes = 0;
  try {
    for await (const part of openChunks(key, content)) {
      bytes += part.length;
      yield part;
    }
  } catch (cause) {
    if (!(cause instanceof KeyringError)) throw cause;
    throw new DamagedBackup(`the backup was changed or truncated after ${bytes} bytes of its content`, { cause });
  }
}

function contentKey(key: Uint8Array, line: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, line, 'lockkeeper backup', KEY_BYTES));
}

const contextOf = (id: string) => `backup/${id}`;
