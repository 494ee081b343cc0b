import type { ArchiveBounds } from '../../lib/archive/bounds.ts';
import { MAX_PLAN_FOLDER } from '../../lib/job/limits.ts';

/** What a plan left behind: the configuration, its modules and what was written while planning. */
export const FOLDER_BOUNDS: ArchiveBounds = {
  name: 'The folder of the plan',
  /** @limit the folder that a plan leaves to its apply, files -> the run fails, and says so */
  entries: 500_000,
  packedBytes: MAX_PLAN_FOLDER,
  /** @limit the folder that a plan leaves to its apply, bytes -> the run fails, and says so */
  bytes: 4_294_967_296,
  mayLeadOut: true,
};
