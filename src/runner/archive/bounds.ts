import { MAX_CONFIGURATION, MAX_PLAN_FOLDER } from '../../lib/job/limits.ts';

/** How large an archive may be. */
export interface ArchiveBounds {
  /** What it is called where it is refused. */
  readonly name: string;
  /** Files, folders and links. */
  readonly entries: number;
  /** As it comes. */
  readonly packedBytes: number;
  /** Everything in it. */
  readonly bytes: number;
  /** A link may lead out of the folder. Nothing is written through it even so. */
  readonly mayLeadOut: boolean;
}

/** Those that people upload. */
export const CONFIGURATION_BOUNDS: ArchiveBounds = {
  name: 'The configuration',
  /** @limit a configuration that is unpacked for a run, files -> the run fails, and says so */
  entries: 100_000,
  packedBytes: MAX_CONFIGURATION,
  /** @limit a configuration that is unpacked for a run, bytes -> the run fails, and says so */
  bytes: 2_147_483_648,
  mayLeadOut: false,
};

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

/** @limit a name in an archive, characters -> the run fails, and says so */
export const MAX_NAME = 1024;
