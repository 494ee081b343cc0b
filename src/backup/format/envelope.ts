import { randomBytes } from 'node:crypto';
import { type Keyring, KeyringError, openChunks, sealChunks } from '../../storage/index.ts';
import { DamagedBackup } from './frames.ts';

type Bytes = AsyncIterable<Uint8Array>;

const MAGIC = 'LOCKKEEPER BACKUP\n';
const KEY_BYTES = 32;
/** @limit what a backup says of itself before its content, bytes -> it is refused as damaged */
const MAX_HEADER = 65_536;

/** What can be read of a backup without its keys. */
export interface Header {
  readonly format: 1;
  readonly id: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** Of the program that made it. */
  readonly version: string;
  /** Of the keyring that opens it, and of the key in it that sealed it. */
  readonly fingerprint: string;
  readonly key: number;
}

interface Sealed extends Header {
  /** The key of this backup alone, sealed by the keyring. Base64. */
  readonly data_key: string;
}

const contextOf = (id: string) => `backup/${id}`;

/** A backup as it is stored: its header in the clear, everything else sealed under a key of its own. */
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
  yield Buffer.from(`${MAGIC}${JSON.stringify(whole)}\n`);
  yield* sealChunks(key, content);
}

/** A backup that is being read. */
export interface Opened {
  readonly header: Header;
  /** @throws KeyringError where anything was changed or cut off, or with another keyring */
  content(keyring: Keyring): Bytes;
}

/** Reads the header; the rest when it is asked for. @throws DamagedBackup for what is no backup, or of a newer format */
export async function openEnvelope(source: Bytes): Promise<Opened> {
  const parts = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let end = -1;
  while (end < 0) {
    const { value, done } = await parts.next();
    if (done || head.length > MAX_HEADER) throw new DamagedBackup('this is not a backup');
    head = Buffer.concat([head, value]);
    if (!head.toString('latin1', 0, MAGIC.length).startsWith(MAGIC.slice(0, head.length))) {
      throw new DamagedBackup('this is not a backup');
    }
    end = head.indexOf('\n', MAGIC.length);
  }
  const { data_key, ...header } = parse(head.toString('utf8', MAGIC.length, end));
  const rest = head.subarray(end + 1);
  async function* sealedContent(): Bytes {
    yield rest;
    for (let part = await parts.next(); !part.done; part = await parts.next()) yield part.value;
  }
  return { header, content: (keyring) => openChunks(keyOf(header, data_key, keyring), sealedContent()) };
}

function parse(text: string): Sealed {
  let header: Partial<Sealed> | null;
  try {
    header = JSON.parse(text);
  } catch (cause) {
    throw new DamagedBackup('the backup has a header that cannot be read', { cause });
  }
  if (header?.format !== 1) {
    throw new DamagedBackup(
      `the backup has a format (${String(header?.format)}) that this version does not know: use a newer version`,
    );
  }
  for (const field of ['id', 'created_at', 'version', 'fingerprint', 'data_key'] as const) {
    if (typeof header[field] !== 'string') throw new DamagedBackup('the backup has a header that cannot be read');
  }
  return header as Sealed;
}

function keyOf({ id, fingerprint, key }: Header, dataKey: string, keyring: Keyring): Uint8Array {
  if (fingerprint !== keyring.fingerprint) {
    throw new KeyringError(
      `the backup belongs to another keyring (fingerprint ${fingerprint}, ours is ${keyring.fingerprint}): use the keyring file of that time`,
    );
  }
  if (!keyring.versions.includes(key)) {
    throw new KeyringError(
      `key ${key} of the keyring has sealed the backup, and is not in it any more: use a copy of the keyring that has it`,
    );
  }
  return keyring.decrypt(Buffer.from(dataKey, 'base64'), contextOf(id));
}
