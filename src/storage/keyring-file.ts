import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { StorageError } from './errors.ts';
import type { Keyring } from './keyring.ts';
import { createKeyringOf, KEY_BYTES, type Keys } from './sealing.ts';
import { syncFolder } from './sync-folder.ts';

const READABLE_BY_OTHERS = 0o077;
/** Far more than any keyring needs. */
const MAX_BYTES = 65_536;

/**
 * Creates the file with fresh keys, for its owner alone. It is there whole, or not at all.
 * @throws StorageError when it is there already, or cannot be written.
 */
export async function createKeyring(file: string): Promise<Keyring> {
  const text = `${JSON.stringify({ format: 1, encryption: { 1: freshKey() }, hash: freshKey() }, null, 2)}\n`;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeDraft(draft, text);
    // Unlike a rename, a link never replaces a file.
    await link(draft, file);
    await syncFolder(file);
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw refusal(file, exists ? 'exists already: it is never replaced' : 'cannot be created', cause);
  } finally {
    await rm(draft, { force: true });
  }
  return openKeyring(file);
}

/** @throws StorageError when the file is absent, malformed, or may be read by others than its owner. */
export async function openKeyring(file: string): Promise<Keyring> {
  const handle = await open(file, constants.O_RDONLY).catch((cause) => {
    throw refusal(file, 'cannot be read. Restore it from its backup, or create one for a new installation', cause);
  });
  try {
    return createKeyringOf(parse(file, await readPrivate(file, handle)));
  } finally {
    await handle.close();
  }
}

async function readPrivate(file: string, handle: FileHandle): Promise<string> {
  const { mode, size } = await handle.stat();
  if ((mode & READABLE_BY_OTHERS) !== 0) throw refusal(file, 'may be used by others than its owner: chmod 600 it');
  if (size > MAX_BYTES) throw refusal(file, 'is too large to be one');
  return handle.readFile('utf8');
}

function parse(file: string, text: string): Keys {
  const content = parseJson(file, text);
  if (!isRecord(content) || content.format !== 1 || !isRecord(content.encryption)) {
    throw refusal(file, 'is malformed: format 1, encryption and hash are expected');
  }
  const versions = Object.entries(content.encryption);
  if (versions.length === 0) throw refusal(file, 'is malformed: it has no encryption key');
  const encryption = versions.map(([version, key]): [number, Uint8Array] => {
    if (!/^[1-9]\d{0,8}$/.test(version)) throw refusal(file, 'is malformed: versions are numbers from 1 on');
    return [Number(version), parseKey(file, `encryption.${version}`, key)];
  });
  return { encryption: new Map(encryption), hash: parseKey(file, 'hash', content.hash) };
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own text would quote the file.
    throw refusal(file, 'is malformed: it is not JSON');
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseKey(file: string, name: string, value: unknown): Uint8Array {
  const key = Buffer.from(typeof value === 'string' ? value : '', 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== value) {
    throw refusal(file, `is malformed: ${name} must be ${KEY_BYTES} bytes in base64`);
  }
  return key;
}

function refusal(file: string, what: string, cause?: unknown): StorageError {
  return new StorageError(`the keyring ${file} ${what}`, { cause });
}

function freshKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

async function writeDraft(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
