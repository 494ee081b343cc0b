import type { ArchiveBounds } from '../../archive/index.ts';
import { MAX_PLAN_FOLDER } from '../../lib/job/limits.ts';

/** Bounds of a plan artifact: the configuration, its modules, and files that were written during the plan. */
export const FOLDER_BOUNDS: ArchiveBounds = {
  name: 'The folder of the plan',
  /** @limit number of files in a plan artifact, files -> the run fails with this reason */
  entries: 500_000,
  packedBytes: MAX_PLAN_FOLDER,
  /** @limit unpacked size of a plan artifact, bytes -> the run fails with this reason */
  bytes: 4_294_967_296,
  mayLeadOut: true,
};
