import { backupInterval } from '../../config/index.ts';
import { type Finding, failure, skipped, success, warning } from '../../lib/finding/finding.ts';
import type { Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';

const HOUR = 3_600_000;
/** Grace period of a due backup, because a backup takes time and is retried after a failure. */
const GRACE = 2 * HOUR;

/** Whether a recent backup exists. */
export const backups: Subject = {
  name: 'backups',
  checks: [{ name: 'age', run: age, isCheap: true }],
};

async function age(site: Site): Promise<Finding> {
  const { schedule } = site.config.backup ?? {};
  const { wholeAt, failedAt } = await site.backups();
  const advice = 'check the log for the reason, or run `lockkeeper backup create`, which prints it';
  if (failedAt !== undefined && failedAt > (wholeAt ?? 0)) return failure('the last one failed', advice);
  if (schedule === undefined) {
    if (wholeAt === undefined)
      return skipped('the server makes no backups: set backup.schedule, unless the databases are backed up otherwise');
    return success(`the last one is ${ageText(site.clock() - wholeAt)} old`);
  }
  if (wholeAt === undefined) return warning('there is none yet', 'create the first one: `lockkeeper backup create`');
  const old = site.clock() - wholeAt;
  const found = `the last one is ${ageText(old)} old`;
  return old > backupInterval(schedule) + GRACE ? failure(found, advice) : success(found);
}

function ageText(milliseconds: number): string {
  const hours = Math.floor(Math.max(0, milliseconds) / HOUR);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
