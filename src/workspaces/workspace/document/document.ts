import { isoTime } from '../../../lib/clock.ts';
import { linked, type Relationship, type Resource, toOne } from '../../jsonapi/document.ts';
import type { VcsRepo } from '../model/settings.ts';
import { type Connection, executionOf, type WorkspaceView } from '../model/workspace.ts';
import { autoDestroyOf } from '../settings/auto-destroy.ts';

/** Default values of members that describe plans and measurements, for a workspace that has no values yet. */
const UNMEASURED = {
  'apply-duration-average': null,
  'plan-duration-average': null,
  'policy-check-failures': null,
  'run-failures': null,
  'workspace-kpis-runs-count': null,
  'effective-run-data-retention-desc': null,
  'effective-state-version-retention-desc': null,
};

const isoTimeOf = (time: number | null | undefined) => (time ? isoTime(time) : null);

const NONE: Relationship = { data: null };

/** Returns a relationship to one resource with its URL, or an empty one without a URL if there is no id. */
function related(type: string, id: string | null): Relationship {
  return id === null ? NONE : { data: { type, id }, ...linked(`/api/v2/${type}/${id}`) };
}

/**
 * Returns the document of a workspace (spec §2.2) without the parts that other domains own; the presenter adds those.
 * Create, read, update and list return the same document.
 */
export function workspaceResource(workspace: WorkspaceView): Resource {
  const { id, name, organizationName, permissions } = workspace;
  const { 'agent-pool-id': _pool, 'destroyed-at': _at, 'vcs-repo': repo, ...settings } = workspace.settings;
  const { mode, own } = executionOf(workspace);
  return {
    id,
    type: 'workspaces',
    attributes: {
      ...UNMEASURED,
      ...settings,
      ...autoDestroyOf(workspace),
      ...workspace.performance,
      name,
      actions: { 'is-destroyable': settings['allow-destroy-plan'] },
      'can-queue-destroy-plan': permissions['can-queue-destroy'],
      'created-at': isoTime(workspace.createdAt),
      environment: 'default',
      'execution-mode': mode,
      'last-assessment-result-at': isoTimeOf(workspace.assessedAt),
      'latest-change-at': isoTime(workspace.latestChangeAt),
      locked: workspace.lock !== null,
      'locked-at': isoTimeOf(workspace.lock?.at),
      'locked-by-name': workspace.lock?.name || null,
      'locked-reason': workspace.lock?.reason ?? null,
      'oauth-client-name': workspace.connection?.name ?? null,
      operations: mode !== 'local',
      permissions,
      'resource-count': workspace.resourceCount,
      // The agent pool belongs to the execution mode: both come from the same level.
      'setting-overwrites': { 'execution-mode': own, 'agent-pool': own },
      source: 'tfe-api',
      'tag-names': workspace.tagNames,
      'terraform-version': settings['engine-version'],
      'updated-at': isoTime(workspace.updatedAt),
      'vcs-repo': repo && vcsRepo(repo, workspace.connection),
      'vcs-repo-identifier': repo?.identifier ?? null,
    },
    relationships: relationshipsOf(workspace),
    links: {
      self: `/api/v2/organizations/${organizationName}/workspaces/${name}`,
      'self-html': `/app/${organizationName}/workspaces/${name}`,
    },
  };
}

function relationshipsOf(workspace: WorkspaceView): NonNullable<Resource['relationships']> {
  const { id, current, lock } = workspace;
  const self = `/api/v2/workspaces/${id}`;
  const run = related('runs', current.runId);
  return {
    'agent-pool': related('agent-pools', executionOf(workspace).agentPoolId),
    'current-assessment-result': related('assessment-results', current.assessmentResultId),
    'current-configuration-version': related('configuration-versions', current.configurationVersionId),
    'current-run': run,
    'current-state-version': {
      ...toOne('state-versions', current.stateVersionId),
      ...linked(`${self}/current-state-version`),
    },
    'effective-tag-bindings': linked(`${self}/effective-tag-bindings`),
    'latest-run': run,
    'locked-by': lock === null ? NONE : related(lock.holder.type, lock.holder.id),
    organization: toOne('organizations', workspace.organizationName),
    outputs: { data: [], ...linked(`${self}/current-state-version-outputs`) },
    project: toOne('projects', workspace.projectId),
    readme: NONE,
    'remote-state-consumers': linked(`${self}/relationships/remote-state-consumers`),
    'ssh-key': related('ssh-keys', workspace.sshKeyId),
    'tag-bindings': linked(`${self}/tag-bindings`),
    vars: { data: [] },
  };
}

/** Returns the repository of a workspace as its document has it without the parts of other domains. */
export function vcsRepoDocument({ settings, connection }: Pick<WorkspaceView, 'settings' | 'connection'>) {
  return settings['vcs-repo'] && vcsRepo(settings['vcs-repo'], connection);
}

/** Returns the repository (spec §2.3). */
function vcsRepo(repo: VcsRepo, connection: Connection | null) {
  const site = connection?.httpUrl.replace(/\/+$/, '');
  return {
    ...repo,
    branch: repo.branch ?? '',
    'display-identifier': repo.identifier,
    'repository-http-url': site === undefined ? null : `${site}/${repo.identifier}`,
    'service-provider': connection?.serviceProvider ?? null,
    tags: repo['tags-regex'] !== null,
    'webhook-url': null,
  };
}
