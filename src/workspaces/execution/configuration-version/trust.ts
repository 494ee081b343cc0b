import type { Queries } from '../../../storage/index.ts';
import * as store from './store.ts';

/** Returns whether strangers wrote the configuration, so that its runs get no secrets. */
export function isUntrusted(db: Queries, configurationVersionId: string): Promise<boolean> {
  return store.isUntrusted(db, configurationVersionId);
}
