import { Type } from 'typebox';
import { isoTime } from '../../../lib/clock.ts';
import { toOne as identifierOf, linked } from '../../jsonapi/document.ts';
import { nullable, nullableEnum, text, timestamp } from '../../jsonapi/schema.ts';
import {
  attribute,
  is,
  link,
  linkedToMany,
  linkedToOne,
  linkedToOneOf,
  membersOf,
  optional,
  relationship,
  required,
  resourceOf,
  time,
  toMany,
  toOne,
} from '../../resource/index.ts';
import { ENGINES, EXECUTION_MODES, WORKSPACE_PERMISSIONS } from '../../tenancy/index.ts';
import { POLICY_TYPES } from '../model/retention-types.ts';
import type { VcsRepo } from '../model/settings.ts';
import type { Connection, executionOf, Performance, WorkspaceView } from '../model/workspace.ts';
import type { autoDestroyOf } from './auto-destroy.ts';

/** Settings in effect: the workspace's own, or inherited ones. */
interface InEffect {
  readonly execution: ReturnType<typeof executionOf>;
  readonly autoDestroy: ReturnType<typeof autoDestroyOf>;
}

const flag = optional(nullable(Type.Boolean()));
const paths = optional(nullable(Type.Array(text(1024), { maxItems: 200 })));
const line = optional(nullable(text(1024)));
const word = optional(nullable(text(100)));
const duration = optional(nullable(Type.String({ pattern: '^(?!0+[dh])\\d{1,4}[dh]$' })));

const VcsRepoBody = Type.Object({
  identifier: line.create,
  'oauth-token-id': line.create,
  'github-app-installation-id': line.create,
  branch: line.create,
  'ingress-submodules': flag.create,
  'tags-regex': line.create,
});

const VcsRepoShown = Type.Object({
  branch: is.text,
  'display-identifier': is.textOrNull,
  'github-app-installation-id': is.textOrNull,
  identifier: is.textOrNull,
  'ingress-submodules': is.flag,
  'oauth-token-id': is.textOrNull,
  'repository-http-url': Type.Optional(is.textOrNull),
  'service-provider': is.textOrNull,
  tags: is.flag,
  'tags-regex': is.textOrNull,
  'webhook-url': is.textOrNull,
});

const settings = membersOf<WorkspaceView, [InEffect]>()((workspace) => workspace.settings);
const autoDestroy = membersOf<WorkspaceView, [InEffect]>()((_, inEffect) => inEffect.autoDestroy);

/** Declares averages and counts of runs. Null if they are unknown. */
function measures<const Name extends keyof Performance>(names: readonly Name[]) {
  const measure = (name: Name) => attribute(is.integerOrNull, (view: WorkspaceView) => view.performance[name] ?? null);
  return Object.fromEntries(names.map((name) => [name, measure(name)])) as Record<Name, ReturnType<typeof measure>>;
}

const timeOf = (milliseconds: number | null | undefined) => (milliseconds ? isoTime(milliseconds) : null);

const pathOf = ({ id }: WorkspaceView) => `/api/v2/workspaces/${id}`;

/**
 * A workspace (spec §2.2) without the parts that other domains own; the presenter adds those. Create, read, update and
 * list return the same document.
 */
export const WorkspaceResource = resourceOf<WorkspaceView, [inEffect: InEffect]>()('workspaces', {
  attributes: {
    ...measures(['apply-duration-average', 'plan-duration-average', 'policy-check-failures', 'run-failures']),
    ...measures(['workspace-kpis-runs-count']),
    // The retention policies have this part of the document.
    'effective-run-data-retention-desc': attribute(is.textOrNull, () => null),
    'effective-state-version-retention-desc': attribute(is.textOrNull, () => null),
    // Shown as a relationship.
    'agent-pool-id': word,
    ...settings(is.flag, ['allow-destroy-plan', 'assessments-enabled', 'auto-apply', 'auto-apply-run-trigger'], flag),
    ...autoDestroy(is.textOrNull, ['auto-destroy-activity-duration'], duration),
    ...autoDestroy(is.timeOrNull, ['auto-destroy-at'], optional(nullable(timestamp))),
    ...settings(is.textOrNull, ['description'], optional(nullable(text(4096)))),
    ...settings(nullableEnum(ENGINES), ['engine'], optional(nullableEnum(ENGINES))),
    ...settings(is.text, ['engine-version'], word),
    'execution-mode': attribute(
      Type.Enum([...EXECUTION_MODES]),
      (_, { execution }) => execution.mode,
      optional(nullableEnum(EXECUTION_MODES)),
    ),
    ...settings(is.flag, ['file-triggers-enabled', 'global-remote-state', 'inherits-project-auto-destroy'], flag),
    ...settings(is.text, ['migration-environment'], word),
    ...settings(is.flag, ['project-remote-state', 'queue-all-runs'], flag),
    ...settings(is.textOrNull, ['source-name', 'source-url'], line),
    ...settings(is.flag, ['speculative-enabled', 'structured-run-output-enabled'], flag),
    ...settings(is.texts, ['trigger-patterns', 'trigger-prefixes'], paths),
    ...settings(is.textOrNull, ['working-directory'], line),
    ...autoDestroy(is.textOrNull, ['auto-destroy-status', 'auto-destroy-explanation']),
    ...autoDestroy(is.timeOrNull, ['auto-destroy-next-attempt-at']),
    ...autoDestroy(is.textOrNull, ['auto-destroy-run-id', 'auto-destroy-source']),
    name: attribute(is.text, 'name', required(text(200))),
    actions: attribute(is.flags(['is-destroyable']), (workspace) => ({
      'is-destroyable': workspace.settings['allow-destroy-plan'],
    })),
    'can-queue-destroy-plan': attribute(is.flag, ({ permissions }) => permissions['can-queue-destroy']),
    'created-at': time('createdAt'),
    environment: attribute(is.text, () => 'default'),
    'last-assessment-result-at': attribute(is.timeOrNull, ({ assessedAt }) => timeOf(assessedAt)),
    'latest-change-at': time('latestChangeAt'),
    locked: attribute(is.flag, ({ lock }) => lock !== null),
    'locked-at': attribute(is.timeOrNull, ({ lock }) => timeOf(lock?.at)),
    'locked-by-name': attribute(is.textOrNull, ({ lock }) => lock?.name || null),
    'locked-reason': attribute(is.textOrNull, ({ lock }) => lock?.reason ?? null),
    'oauth-client-name': attribute(is.textOrNull, ({ connection }) => connection?.name ?? null),
    operations: attribute(is.flag, (_, { execution }) => execution.mode !== 'local', flag),
    permissions: attribute(is.flags(WORKSPACE_PERMISSIONS), 'permissions'),
    'resource-count': attribute(is.integer, 'resourceCount'),
    // The agent pool belongs to the execution mode: both come from the same level.
    'setting-overwrites': attribute(
      is.flags(['execution-mode', 'agent-pool']),
      (_, { execution: { own } }) => ({ 'execution-mode': own, 'agent-pool': own }),
      optional(nullable(Type.Object({ 'execution-mode': flag.create, 'agent-pool': flag.create }))),
    ),
    source: attribute(is.text, () => 'tfe-api'),
    'tag-names': attribute(is.texts, 'tagNames'),
    'terraform-version': attribute(is.text, (workspace) => workspace.settings['engine-version'], word),
    'updated-at': time('updatedAt'),
    'vcs-repo': attribute(nullable(VcsRepoShown), vcsRepoDocument, optional(nullable(VcsRepoBody))),
    'vcs-repo-identifier': attribute(is.textOrNull, (workspace) => workspace.settings['vcs-repo']?.identifier ?? null),
  },
  relationships: {
    'agent-pool': linkedToOne('agent-pools', (_, { execution }) => execution.agentPoolId),
    'current-assessment-result': linkedToOne('assessment-results', ({ current }) => current.assessmentResultId),
    'current-configuration-version': linkedToOne(
      'configuration-versions',
      ({ current }) => current.configurationVersionId,
    ),
    'current-run': linkedToOne('runs', ({ current }) => current.runId),
    'current-state-version': relationship(is.toOne('state-versions'), (workspace) => ({
      ...identifierOf('state-versions', workspace.current.stateVersionId),
      ...linked(`${pathOf(workspace)}/current-state-version`),
    })),
    'data-retention-policy': relationship(Type.Optional(is.toOne(...POLICY_TYPES)), () => undefined),
    'effective-tag-bindings': relationship(is.linkedToMany('effective-tag-bindings'), (workspace) =>
      linked(`${pathOf(workspace)}/effective-tag-bindings`),
    ),
    'latest-run': linkedToOne('runs', ({ current }) => current.runId),
    'locked-by': linkedToOneOf([], ({ lock }) => (lock === null ? null : lock.holder)),
    organization: toOne('organizations', 'organizationName'),
    outputs: linkedToMany(
      'workspace-outputs',
      () => [],
      (workspace) => `${pathOf(workspace)}/current-state-version-outputs`,
    ),
    project: toOne('projects', 'projectId'),
    readme: toOne('workspace-readme', () => null),
    'remote-state-consumers': link((workspace) => `${pathOf(workspace)}/relationships/remote-state-consumers`),
    'ssh-key': linkedToOne('ssh-keys', 'sshKeyId'),
    'tag-bindings': link((workspace) => `${pathOf(workspace)}/tag-bindings`),
    vars: toMany('vars', () => []),
  },
  links: ({ organizationName, name }) => ({
    self: `/api/v2/organizations/${organizationName}/workspaces/${name}`,
    'self-html': `/app/${organizationName}/workspaces/${name}`,
  }),
});

/** Returns the repository of a workspace (spec §2.3) as its document has it without the parts of other domains. */
export function vcsRepoDocument({ settings, connection }: Pick<WorkspaceView, 'settings' | 'connection'>) {
  const repo = settings['vcs-repo'];
  return repo && shownRepo(repo, connection);
}

function shownRepo(repo: VcsRepo, connection: Connection | null) {
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
