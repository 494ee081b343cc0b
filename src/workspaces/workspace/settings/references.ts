import type { Issue } from '../../../lib/errors.ts';
import type { Transaction } from '../../../storage/index.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import type { Settings } from '../model/settings.ts';

/** The current or future place of a workspace. */
export interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  /** Id of the workspace; undefined for a workspace that is being created. */
  readonly workspaceId: string | undefined;
}

/** A resource that only certain workspaces may use. */
export interface Scoped {
  /** Returns whether the resource exists and a workspace in this place may use it. */
  usable(tx: Transaction, id: string, place: Place): Promise<boolean>;
}

/** Resources that settings can name. */
export interface References {
  agentPools: Scoped;
  connections: Scoped;
  /** Installations of GitHub Apps. */
  installations: Scoped;
}

/**
 * Checks that resources newly named in the settings exist and may be used, in the transaction that stores the
 * settings.
 * @throws 422 with all errors
 */
export async function checkReferences(
  tx: Transaction,
  { agentPools, connections, installations }: References,
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
    ...(await check(
      tx,
      installations,
      place,
      changed(settings, installationOf),
      'vcs-repo/github-app-installation-id',
      'App installation not found',
    )),
  ];
  if (issues.length > 0) throw unprocessable(issues);
}

const poolOf = (settings: Settings) => settings['agent-pool-id'];
const tokenOf = (settings: Settings) => settings['vcs-repo']?.['oauth-token-id'] ?? null;
const installationOf = (settings: Settings) => settings['vcs-repo']?.['github-app-installation-id'] ?? null;

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
