import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../storage/index.ts';
import type { Organizations } from '../organization/organizations.ts';
import type { Part, WorkspaceExtensions } from '../workspace/extensions.ts';
import type { WorkspaceFinder } from '../workspace/finder.ts';
import { retentionRelationship } from './document.ts';
import { RetentionPolicies } from './policies.ts';
import { RetentionSweep } from './sweep.ts';

/** Policies, and what carries them out. */
export interface RetentionServices {
  readonly retentionPolicies: RetentionPolicies;
  readonly retentionSweep: RetentionSweep;
}

/** What they stand on. */
export interface RetentionServicesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly finder: WorkspaceFinder;
  readonly extensions: WorkspaceExtensions;
  /** Told of what fails in the background. */
  readonly report: (error: unknown) => void;
}

export function createRetention(options: RetentionServicesOptions): RetentionServices {
  const { database, clock, organizations, finder, extensions, report } = options;
  const retentionPolicies = new RetentionPolicies(database, clock, organizations, finder);
  // A workspace without a policy of its own has no such relationship at all: clients ask for the policy when there is one.
  extensions.documents.push(async (workspaces) => {
    const pointers = await retentionPolicies.pointersOf(workspaces.map(({ id }) => id));
    const parts = [...pointers].map(([id, policy]): [string, Part] => {
      const relationship = retentionRelationship({ type: 'workspaces', id }, policy);
      return [id, { relationships: { 'data-retention-policy': relationship } }];
    });
    return new Map(parts);
  });
  return { retentionPolicies, retentionSweep: new RetentionSweep({ database, clock, report }) };
}
