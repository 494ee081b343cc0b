import { MAX_CONFIGURATION } from '../lib/job/limits.ts';

/** Limits of an archive. */
export interface ArchiveBounds {
  /** Name of the archive in an error message. */
  readonly name: string;
  /** Number of files, folders and links. */
  readonly entries: number;
  /** Size of the compressed archive. */
  readonly packedBytes: number;
  /** Total size of the unpacked files. */
  readonly bytes: number;
  /** Whether a link may point outside of the folder. Even so, nothing is written through such a link. */
  readonly mayLeadOut: boolean;
}

/** Limits of uploaded archives. */
export const CONFIGURATION_BOUNDS: ArchiveBounds = {
  name: 'The configuration',
  /**
   * @limit files and folders in a configuration that is unpacked for a run, files -> the upload gets 422; the run fails
   * with an error
   */
  entries: 100_000,
  packedBytes: MAX_CONFIGURATION,
  /** @limit unpacked size of a configuration, bytes -> the upload gets 422; the run fails with an error */
  bytes: 2_147_483_648,
  mayLeadOut: false,
};
