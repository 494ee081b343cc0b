import { MAX_CONFIGURATION } from '../job/limits.ts';

/** How large an archive may be. */
export interface ArchiveBounds {
  /** Name of the archive in a refusal. */
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

/** Bounds of uploaded archives. */
export const CONFIGURATION_BOUNDS: ArchiveBounds = {
  name: 'The configuration',
  /** @limit a configuration that is unpacked for a run, files -> its upload is 422; the run fails, and says so */
  entries: 100_000,
  packedBytes: MAX_CONFIGURATION,
  /** @limit a configuration that is unpacked for a run, bytes -> its upload is 422; the run fails, and says so */
  bytes: 2_147_483_648,
  mayLeadOut: false,
};
