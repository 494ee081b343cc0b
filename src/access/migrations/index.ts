import type { Migration } from '../../storage/index.ts';
import { baseline } from './baseline.ts';

/** Schema of the access API, in order of migrations. */
export const accessMigrations: readonly Migration[] = [baseline];
