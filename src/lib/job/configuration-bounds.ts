import { MAX_CONFIGURATION } from './limits.ts';

/**
 * Bounds of the archive of a configuration version. The server checks an upload with the bounds with which an agent
 * unpacks it.
 */
export const CONFIGURATION_BOUNDS = {
  packedBytes: MAX_CONFIGURATION,
  /** @limit unpacked size of a configuration, bytes -> the upload gets 422; the run fails with an error */
  bytes: 2_147_483_648,
  /**
   * @limit files and folders in a configuration that is unpacked for a run, files -> the upload gets 422; the run fails
   * with an error
   */
  entries: 100_000,
  /** @limit nested folders in a configuration, levels -> the upload gets 422; the run fails with an error */
  depth: 256,
  mayLeadOut: false,
  advice: 'Upload a tar.gz archive: `tar czf configuration.tar.gz -C FOLDER .`',
} as const;
