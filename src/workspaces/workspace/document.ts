import { isoTime } from '../../lib/clock.ts';
import { linked, type Relationship, type Resource, toOne } from '../jsonapi/document.ts';
import type { Binding } from './binding-store.ts';
import type { TagRow } from './tag-store.ts';
import type { Lock, WorkspaceView } from './workspace.ts';

/** Where nothing is measured yet: there are no runs, no assessments and no states. */
const UNMEASURED = {
  'apply-duration-average': null,
  'plan-duration-average': null,
  'policy-check-failures': null,
  'run-failures': null,
  'workspace-kpis-runs-count': null,
  'last-assessment-result-at': null,
  'auto-destroy-status': null,
};

/** There are no VCS connections yet, hence no repositories. */
const NO_VCS = { 'oauth-client-name': null, 'vcs-repo': null, 'vcs-repo-identifier': null };

const NONE: Relationship = { data: null };
const NEIGHBOURS_TO_COME = {
  'agent-pool': NONE,
  'current-assessment-result': NONE,
  'current-configuration-version': NONE,
  'current-run': NONE,
  'latest-run': NONE,
  outputs: { data: [] },
  readme: NONE,
  'ssh-key': NONE,
  vars: { data: [] },
};

/**
 * A workspace on the wire (spec §2.2): the same whether it was created, shown, changed or listed. `bindings` are those
 * to point at, where the client asked to have them included.
 */
export function workspaceResource(workspace: WorkspaceView, bindings?: readonly Binding[]): Resource {
  const { id, name, organizationName, permissions, settings } = workspace;
  const executionMode = settings['execution-mode'] ?? workspace.defaultExecutionMode;
  // The agent pool goes with the mode.
  const ownMode = settings['execution-mode'] !== null;
  const path = `/organizations/${organizationName}/workspaces/${name}`;
  return {
    id,
    type: 'workspaces',
    attributes: {
      ...UNMEASURED,
      ...NO_VCS,
      ...settings,
      name,
      actions: { 'is-destroyable': settings['allow-destroy-plan'] },
      'can-queue-destroy-plan': permissions['can-queue-destroy'],
      'created-at': isoTime(workspace.createdAt),
      environment: 'default',
      'execution-mode': executionMode,
      'latest-change-at': isoTime(workspace.latestChangeAt),
      locked: workspace.lock !== null,
      'locked-reason': workspace.lock?.reason ?? null,
      operations: executionMode !== 'local',
      permissions,
      'resource-count': workspace.resourceCount,
      'setting-overwrites': { 'execution-mode': ownMode, 'agent-pool': ownMode },
      source: 'tfe-api',
      'tag-names': workspace.tagNames,
      'terraform-version': settings['engine-version'],
      'updated-at': isoTime(workspace.updatedAt),
    },
    relationships: {
      ...NEIGHBOURS_TO_COME,
      'current-state-version': { data: null, ...linked(`/api/v2/workspaces/${id}/current-state-version`) },
      'effective-tag-bindings': {
        ...linked(`/api/v2/workspaces/${id}/effective-tag-bindings`),
        ...(bindings && { data: bindings.map((binding) => ({ type: 'effective-tag-bindings', id: binding.id })) }),
      },
      'locked-by': lockedBy(workspace.lock),
      organization: toOne('organizations', organizationName),
      project: toOne('projects', workspace.projectId),
      'remote-state-consumers': linked(`/api/v2/workspaces/${id}/relationships/remote-state-consumers`),
      'tag-bindings': linked(`/api/v2/workspaces/${id}/tag-bindings`),
    },
    links: { self: `/api/v2${path}`, 'self-html': `/app/${organizationName}/workspaces/${name}` },
  };
}

function lockedBy(lock: Lock | null): Relationship {
  if (lock === null) return NONE;
  const { type, id } = lock.holder;
  return { data: { type, id }, ...linked(`/api/v2/${type}/${id}`) };
}

/** A flat tag (spec §2.5). */
export function tagResource(tag: TagRow): Resource {
  return {
    id: tag.id,
    type: 'tags',
    attributes: { name: tag.name, 'created-at': isoTime(tag.createdAt), 'instance-count': tag.instanceCount },
    relationships: { organization: toOne('organizations', tag.organizationName) },
  };
}

/** A key-value tag of the workspace itself. */
export function bindingResource(binding: Binding): Resource {
  const { id, key, value } = binding;
  return { id, type: 'tag-bindings', attributes: { key, value, 'created-at': isoTime(binding.createdAt) } };
}

/** The same among those that have effect. One that is not inherited has no links: clients take any for inheritance. */
export function effectiveBindingResource({ id, key, value }: Binding): Resource {
  return { id, type: 'effective-tag-bindings', attributes: { key, value } };
}
