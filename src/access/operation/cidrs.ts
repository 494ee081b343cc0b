import { CidrError, canonicalBlocks } from '../../lib/cidr.ts';
import { AppError } from '../../lib/errors.ts';

/**
 * Returns addresses and blocks in canonical form.
 * @param field name of the field for the message
 * @throws AppError bad-request
 */
export function canonicalCidrs(blocks: readonly string[], field?: string): string[] {
  try {
    return canonicalBlocks(blocks);
  } catch (error) {
    if (!(error instanceof CidrError)) throw error;
    throw new AppError('bad-request', field ? `${field}: ${error.message}` : error.message);
  }
}
