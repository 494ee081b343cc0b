import type { SealedColumn } from '../storage/index.ts';
import { sealedAnswers } from './wrapping/index.ts';

/** All that the keyring has sealed in the database of the access API. Batch tokens are with those they were given to. */
export const accessSealedColumns: readonly SealedColumn[] = [sealedAnswers];
