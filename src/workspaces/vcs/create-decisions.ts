import type { Platform } from '../platform/platform.ts';
import { ForkApprovals } from './approval/approvals.ts';
import type { RepositoryServices } from './create-repositories.ts';
import type { BelowVcs } from './create-vcs.ts';
import { Explanations } from './explanation/explanations.ts';
import { Previews } from './explanation/previews.ts';
import { Targets } from './explanation/target.ts';

/** Services by which people understand and influence the server's decisions about commits. */
export interface DecisionServices {
  readonly forkApprovals: ForkApprovals;
  readonly explanations: Explanations;
  readonly previews: Previews;
}

export function createDecisions(
  { database, clock }: Platform,
  { workspace: { finder }, tenancy: { organizations } }: BelowVcs,
  { opener, eventLog: events, hooks }: RepositoryServices,
): DecisionServices {
  const targets = new Targets({ database, finder, opener });
  return {
    forkApprovals: new ForkApprovals({ database, clock, finder, organizations, events }),
    explanations: new Explanations({ database, targets, organizations, runs: () => hooks.commitRuns }),
    previews: new Previews(targets),
  };
}
