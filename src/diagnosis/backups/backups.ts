import { backupInterval } from '../../config/index.ts';
import { type Finding, failure, skipped, success, warning } from '../../lib/finding/finding.ts';
import type { Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';

const HOUR = 3_600_000;
/** How much later than it is due one may be: it takes its time, and is tried again when it fails. */
const GRACE = 2 * HOUR;

/** Whether there is something to bring back. */
export const backups: Subject = {
  name: 'backups',
  checks: [{ name: 'age', run: age, isCheap: true }],
};

async function age(site: Site): Promise<Finding> {
  const { schedule } = site.config.backup ?? {};
  const { wholeAt, failedAt } = await site.backups();
  const advice = 'see the log for the reason, or run `lockkeeper backup create`, which says it';
  if (failedAt !== undefined && failedAt > (wholeAt ?? 0)) return failure('the last one failed', advice);
  if (schedule === undefined) {
    if (wholeAt === undefined)
      return skipped('none is made by the server: set backup.schedule, unless the databases are backed up otherwise');
    return success(`the last one is ${ageText(site.clock() - wholeAt)} old`);
  }
  if (wholeAt === undefined) return warning('there is none yet', 'make the first: `lockkeeper backup create`');
  const old = site.clock() - wholeAt;
  const found = `the last one is ${ageText(old)} old`;
  return old > backupInterval(schedule) + GRACE ? failure(found, advice) : success(found);
}

function ageText(milliseconds: number): string {
  const hours = Math.floor(Math.max(0, milliseconds) / HOUR);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
