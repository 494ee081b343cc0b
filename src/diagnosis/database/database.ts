import type { StorageConfig } from '../../config/index.ts';
import type { Subject } from '../model/check.ts';
import { POSTGRES_CHECKS } from './postgres.ts';
import { schema } from './schema.ts';
import { SQLITE_CHECKS } from './sqlite.ts';

/** The database and its state. */
export const database = ({ type }: StorageConfig): Subject => ({
  name: 'database',
  checks: [...(type === 'sqlite' ? SQLITE_CHECKS : POSTGRES_CHECKS), schema],
});
