import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import type { Organizations } from '../../tenancy/organization/organizations.ts';
import type { WorkspaceExtensions } from '../hooks.ts';
import type { WorkspaceFinder } from '../workspace/finder.ts';
import { retentionPart } from './document.ts';
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
  extensions.documents.push(async (workspaces) => {
    const policies = await retentionPolicies.concerning(workspaces);
    return new Map([...policies].map(([id, policy]) => [id, retentionPart(id, policy)]));
  });
  return { retentionPolicies, retentionSweep: new RetentionSweep({ database, clock, report }) };
}
