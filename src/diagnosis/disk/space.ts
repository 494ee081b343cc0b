import { statfs } from 'node:fs/promises';
import { type Finding, failure, success, warning } from '../../lib/finding/finding.ts';
import { NotAvailable } from '../model/check.ts';

const MIB = 1_048_576;
/** Free space that is a warning: a share of the disk, and bytes, whichever is less. */
const LOW_SHARE = 0.1;
const LOW_BYTES = 5 * 1024 * MIB;
/** Free space below which the next burst of writes fails, bytes. */
const NONE = 16 * MIB;

/** Total and available size of a disk, bytes. */
export interface Space {
  readonly total: number;
  readonly free: number;
}

async function spaceAt(path: string): Promise<Space> {
  const { blocks, bsize, bavail } = await statfs(path);
  return { total: blocks * bsize, free: bavail * bsize };
}

/**
 * Checks the free space on the disk of a folder.
 * @throws NotAvailable if the folder does not exist
 */
export async function spaceFinding(path: string): Promise<Finding> {
  const space = await spaceAt(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new NotAvailable('there is no such folder');
  });
  return freeFinding(space, path);
}

/** Evaluates the free space. */
export function freeFinding({ total, free }: Space, path: string): Finding {
  const found = `${sizeText(free)} of ${sizeText(total)} free`;
  const advice = 'free space, or move the folder to a larger disk: a full disk refuses writes';
  // A RAM disk may report no size.
  if (total === 0) return success('the disk reports no size', path);
  if (free < Math.min(NONE, total / 50)) return failure(found, advice, path);
  return free < Math.min(LOW_BYTES, total * LOW_SHARE) ? warning(found, advice, path) : success(found, path);
}

/** Formats a size such as `512 MiB` or `1.5 GiB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
