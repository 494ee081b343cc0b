import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { StorageError } from '../errors.ts';
import { KEY_BYTES, type Keys } from '../sealing.ts';

/** The keys of a file and their times of creation in milliseconds; absent for keys from before this field existed. */
export interface DatedKeys extends Keys {
  readonly created: ReadonlyMap<number, number>;
}

/** Returns the text that `parseKeyring` reads. */
export function keyringText({ encryption, hash, created, sealsFrom }: DatedKeys): string {
  const times = (version: number) => ({
    ...(created.has(version) && { created: isoOf(created.get(version)) }),
    ...(sealsFrom?.has(version) && { seals_from: isoOf(sealsFrom.get(version)) }),
  });
  const content = {
    format: 1,
    encryption: Object.fromEntries([...encryption].map(([version, key]) => [version, base64(key)])),
    hash: base64(hash),
    keys: Object.fromEntries([...encryption.keys()].map((version) => [version, times(version)])),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

export function freshKey(): Uint8Array {
  return new Uint8Array(randomBytes(KEY_BYTES));
}

/** Writes a new file for its owner only; durable once the promise resolves. */
export function writeDraft(file: string, text: string): Promise<void> {
  return writeDurably(file, 'wx', text);
}

/** Overwrites an existing file and keeps its mode; durable once the promise resolves. */
export function overwriteDraft(file: string, text: string): Promise<void> {
  return writeDurably(file, 'r+', text);
}

async function writeDurably(file: string, flags: 'wx' | 'r+', text: string): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function refusal(file: string, what: string, cause?: unknown): StorageError {
  return new StorageError(`the keyring ${file} ${what}`, { cause });
}

const isoOf = (time = 0) => new Date(time).toISOString();
const base64 = (key: Uint8Array) => Buffer.from(key).toString('base64');

/** @throws StorageError if the text is malformed; the message contains nothing of the file */
export function parseKeyring(file: string, content: unknown): DatedKeys {
  if (!isRecord(content) || content.format !== 1 || !isRecord(content.encryption)) {
    throw refusal(file, 'is malformed: format 1, encryption and hash are expected');
  }
  const versions = Object.entries(content.encryption);
  if (versions.length === 0) throw refusal(file, 'is malformed: it has no encryption key');
  const encryption = versions.map(([version, key]): [number, Uint8Array] => {
    if (!/^[1-9]\d{0,8}$/.test(version)) throw refusal(file, 'is malformed: versions are numbers from 1 on');
    return [Number(version), parseKey(file, `encryption.${version}`, key)];
  });
  return {
    encryption: new Map(encryption),
    hash: parseKey(file, 'hash', content.hash),
    created: parseTimes(file, content.keys, 'created'),
    sealsFrom: parseTimes(file, content.keys, 'seals_from'),
  };
}

/** @throws StorageError */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote the file.
    throw refusal(file, 'is malformed: it is not JSON');
  }
}

function parseTimes(file: string, keys: unknown, name: 'created' | 'seals_from'): Map<number, number> {
  if (keys === undefined) return new Map();
  if (!isRecord(keys)) throw refusal(file, 'is malformed: keys are expected by their version');
  const times = Object.entries(keys).flatMap(([version, known]): [number, number][] => {
    const text = isRecord(known) ? known[name] : undefined;
    if (text === undefined) return [];
    const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(time)) throw refusal(file, `is malformed: keys.${version}.${name} must be a time`);
    return [[Number(version), time]];
  });
  return new Map(times);
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
