import type { SealedColumn } from '../storage/index.ts';
import { sealedAnswers } from './wrapping/index.ts';

/** Encrypted columns of the access API, for key rotation. Batch tokens are not stored; their clients have them. */
export const accessSealedColumns: readonly SealedColumn[] = [sealedAnswers];
