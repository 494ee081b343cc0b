import { stat } from 'node:fs/promises';
import { type Finding, failure, success, warning } from '../../lib/finding/finding.ts';

const OF_OTHERS = 0o007;
const OF_GROUP = 0o070;
const WRITE = 0o022;

/**
 * Who may use a file that holds a secret: its owner, and at most its group.
 * @param path which is not in the words for anybody
 */
export async function secretFileFinding(path: string): Promise<Finding> {
  const mode = await modeOf(path);
  if (typeof mode !== 'number') return mode;
  const found = `mode ${modeText(mode)}`;
  const advice = `take the rights of others away: chmod 600 ${path}`;
  if ((mode & OF_OTHERS) !== 0) return failure(`${found}: anybody on this machine may use it`, advice, path);
  if ((mode & OF_GROUP & WRITE) !== 0) return warning(`${found}: its group may change it`, advice, path);
  return success(found, path);
}

/** The same of one that others may read and must not change. */
export async function plainFileFinding(path: string): Promise<Finding> {
  const mode = await modeOf(path);
  if (typeof mode !== 'number') return mode;
  const advice = `only its owner should change it: chmod go-w ${path}`;
  if ((mode & WRITE) !== 0) return failure(`mode ${modeText(mode)}: others may change it`, advice, path);
  return success(`mode ${modeText(mode)}`, path);
}

async function modeOf(path: string): Promise<number | Finding> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failure(
      `cannot be looked at: ${code}`,
      code === 'ENOENT' ? 'correct the path, or put the file there' : 'give this user access to it',
      path,
    );
  }
}

const modeText = (mode: number) => `0${mode.toString(8).padStart(3, '0')}`;
