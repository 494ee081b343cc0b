import type { Issue } from '../../../lib/errors.ts';
import type { Transaction } from '../../../storage/index.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import type { Settings } from '../model/settings.ts';

/** Where a workspace is, or is going to be. */
export interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  /** Undefined for one that is being made. */
  readonly workspaceId: string | undefined;
}

/** Something that is for certain workspaces alone. */
export interface Scoped {
  /** Whether there is one of that id that a workspace in that place may use. */
  usable(tx: Transaction, id: string, place: Place): Promise<boolean>;
}

/** What settings can name. */
export interface References {
  agentPools: Scoped;
  connections: Scoped;
}

/**
 * Whether what the settings name is there, and may be used: as far as it is new. In the unit of work that stores them.
 * @throws 422 with everything that is not
 */
export async function checkReferences(
  tx: Transaction,
  { agentPools, connections }: References,
  place: Place,
  settings: { readonly current: Settings; readonly next: Settings },
): Promise<void> {
  const issues = [
    ...(await check(tx, agentPools, place, changed(settings, poolOf), 'agent-pool-id', 'Agent pool not found')),
    ...(await check(
      tx,
      connections,
      place,
      changed(settings, tokenOf),
      'vcs-repo/oauth-token-id',
      'OAuth token not found',
    )),
  ];
  if (issues.length > 0) throw unprocessable(issues);
}

const poolOf = (settings: Settings) => settings['agent-pool-id'];
const tokenOf = (settings: Settings) => settings['vcs-repo']?.['oauth-token-id'] ?? null;

function changed(
  { current, next }: { readonly current: Settings; readonly next: Settings },
  of: (settings: Settings) => string | null,
): string | null {
  return of(next) === of(current) ? null : of(next);
}

async function check(
  tx: Transaction,
  scoped: Scoped,
  place: Place,
  id: string | null,
  attribute: string,
  detail: string,
): Promise<Issue[]> {
  return id === null || (await scoped.usable(tx, id, place)) ? [] : [attributeIssue(attribute, detail)];
}
