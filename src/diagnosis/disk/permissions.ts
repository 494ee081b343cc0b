import { stat } from 'node:fs/promises';
import { type Finding, failure, success, warning } from '../../lib/finding/finding.ts';

const OF_OTHERS = 0o007;
const OF_GROUP = 0o070;
const WRITE = 0o022;

/**
 * Checks that a secret file is accessible only to its owner and at most its group.
 * @param path appears only in the detail of the finding, which is for the operator
 */
export async function secretFileFinding(path: string): Promise<Finding> {
  const mode = await modeOf(path);
  if (typeof mode !== 'number') return mode;
  const found = `mode ${modeText(mode)}`;
  const advice = `remove the access of others: chmod 600 ${path}`;
  if ((mode & OF_OTHERS) !== 0) return failure(`${found}: any user of this machine can access it`, advice, path);
  if ((mode & OF_GROUP & WRITE) !== 0) return warning(`${found}: its group can change it`, advice, path);
  return success(found, path);
}

/** Checks a file that others may read but must not change. */
export async function plainFileFinding(path: string): Promise<Finding> {
  const mode = await modeOf(path);
  if (typeof mode !== 'number') return mode;
  const advice = `only its owner should be able to change it: chmod go-w ${path}`;
  if ((mode & WRITE) !== 0) return failure(`mode ${modeText(mode)}: others can change it`, advice, path);
  return success(`mode ${modeText(mode)}`, path);
}

async function modeOf(path: string): Promise<number | Finding> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failure(
      `cannot be read: ${code}`,
      code === 'ENOENT' ? 'correct the path, or create the file' : 'give this user access to it',
      path,
    );
  }
}

const modeText = (mode: number) => `0${mode.toString(8).padStart(3, '0')}`;
