import type { Queries } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import * as store from './store.ts';

/** Who made a configuration. */
export interface Origin {
  /** Whether strangers wrote it, so that its runs get no secrets. */
  readonly untrusted: boolean;
  readonly createdBy: Identifier;
  /** Id of its commit; null for an upload. */
  readonly ingressId: string | null;
}

/** Returns who made a configuration; undefined if it was deleted. */
export function originOf(db: Queries, configurationVersionId: string): Promise<Origin | undefined> {
  return store.findConfigurationVersion(db, configurationVersionId);
}
