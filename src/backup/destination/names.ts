import { createHash } from 'node:crypto';
import type { Keyring } from '../../storage/index.ts';
import type { StoredBackup } from './destination.ts';

/**
 * Names such as `lockkeeper-1a2b3c4d-20261124T023000Z-0123456789abcdef.backup`: fingerprint of the keyring, time, and
 * random ID.
 */
const NAME = /^lockkeeper-([0-9a-f]{8})-(\d{8}T\d{6}Z)-[0-9a-f]{16}\.backup$/;
/** Common prefix of all names. */
export const NAMES_BEGIN = 'lockkeeper-';
const TAG_DIGITS = 8;

export function nameOf(keyring: Pick<Keyring, 'fingerprint'>, id: string, now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${NAMES_BEGIN}${tagOf(keyring)}-${time}-${id}.backup`;
}

export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Sorts newest first. */
export function byTime(found: readonly StoredBackup[]): StoredBackup[] {
  return found.toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
}

/** Returns the backups older than the given one, newest first. A backup whose clock was ahead does not count. */
export function before(found: readonly StoredBackup[], name: string): StoredBackup[] {
  return byTime(found.filter((one) => one.name !== name && timeOf(one) <= timeOf({ name })));
}

function timeOf({ name }: Pick<StoredBackup, 'name'>): string {
  return NAME.exec(name)?.[2] ?? '';
}

/** Returns the backups of this keyring, because other servers may use the same place. */
export function ofKeyring(found: readonly StoredBackup[], keyring: Pick<Keyring, 'fingerprint'>): StoredBackup[] {
  return found.filter(({ name }) => NAME.exec(name)?.[1] === tagOf(keyring));
}

function tagOf({ fingerprint }: Pick<Keyring, 'fingerprint'>): string {
  return createHash('sha256').update(fingerprint).digest('hex').slice(0, TAG_DIGITS);
}
