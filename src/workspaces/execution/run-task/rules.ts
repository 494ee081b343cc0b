import type { Issue } from '../../../lib/errors.ts';
import { urlIssues } from '../../delivery/index.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { boundSecretIssues } from '../../platform/bound-secret.ts';
import { type GlobalConfiguration, type RunTask, STAGES, type Stage, type WorkspaceTask } from './run-task.ts';
import type { TaskInput, WorkspaceTaskInput } from './schema.ts';

/** Attributes of a run task. */
export type TaskSettings = Pick<RunTask, 'name' | 'description' | 'enabled' | 'global' | 'url' | 'hmacKey'>;
/** Attributes of a run task's assignment to a workspace. */
export type WorkspaceTaskSettings = Pick<WorkspaceTask, 'enforcementLevel' | 'stages'>;

/** Defaults of a new run task. */
export const NEW_TASK: TaskSettings = {
  name: '',
  description: '',
  enabled: true,
  global: { enabled: false, stages: [], enforcementLevel: 'advisory' },
  url: '',
  hmacKey: null,
};
/** Defaults of a new assignment to a workspace. */
export const NEW_WORKSPACE_TASK: WorkspaceTaskSettings = { enforcementLevel: 'advisory', stages: ['post_plan'] };

const NO_POOL = 'The provided agent pool does not exist for run tasks, because this server sends their requests itself';
const NAME = /^[A-Za-z0-9_-]+$/;

/**
 * Validates the attributes of a run task.
 * @throws 422 with all errors
 */
export function taskAfter(current: TaskSettings, { attributes = {}, relationships }: TaskInput): TaskSettings {
  const next = {
    name: attributes.name === undefined ? current.name : (attributes.name ?? ''),
    description: attributes.description === undefined ? current.description : (attributes.description ?? ''),
    enabled: attributes.enabled ?? current.enabled,
    global: globalAfter(current.global, attributes['global-configuration']),
    url: attributes.url === undefined ? current.url : (attributes.url ?? '').trim(),
    // Clients send an empty text for no key.
    hmacKey: attributes['hmac-key'] === undefined ? current.hmacKey : attributes['hmac-key'] || null,
  };
  const pool = relationships?.['agent-pool']?.data;
  const issues = [
    ...issuesOf(next),
    ...(attributes.category && attributes.category !== 'task'
      ? [attributeIssue('category', 'Category must be task')]
      : []),
    ...(pool ? [{ detail: NO_POOL, pointer: '/data/relationships/agent-pool' }] : []),
    ...boundSecretIssues('hmac-key', 'Hmac key', {
      isStored: current.hmacKey !== null,
      given: attributes['hmac-key'],
      destination: { url: [current.url, next.url] },
    }),
  ];
  if (issues.length > 0) throw unprocessable(issues);
  return next;
}

/** Returns whether the task must be verified before it is stored. */
export function needsVerification(current: TaskSettings | undefined, next: TaskSettings): boolean {
  if (!next.enabled) return false;
  return !current?.enabled || current.url !== next.url || current.hmacKey !== next.hmacKey;
}

/**
 * Validates the attributes of a run task's assignment to a workspace.
 * @throws 422 with all errors
 */
export function workspaceTaskAfter(current: WorkspaceTaskSettings, input: WorkspaceTaskInput): WorkspaceTaskSettings {
  const { stage, stages } = input;
  const named = stages ?? (stage ? [stage] : current.stages);
  if (named.length === 0) throw unprocessable([attributeIssue('stages', "Stages can't be blank")]);
  return { enforcementLevel: input['enforcement-level'] ?? current.enforcementLevel, stages: once(named) };
}

type GlobalInput = NonNullable<TaskInput['attributes']>['global-configuration'];

function globalAfter(current: GlobalConfiguration, input: GlobalInput): GlobalConfiguration {
  return {
    enabled: input?.enabled ?? current.enabled,
    stages: once(input?.stages ?? current.stages),
    enforcementLevel: input?.['enforcement-level'] ?? current.enforcementLevel,
  };
}

function issuesOf({ name, url, global }: TaskSettings): Issue[] {
  return [
    ...nameIssues(name),
    ...urlIssues(url),
    ...(global.enabled && global.stages.length === 0
      ? [attributeIssue('global-configuration/stages', `Stages has no known value: ${STAGES.join(', ')}`)]
      : []),
  ];
}

function nameIssues(name: string): Issue[] {
  if (name === '') return [attributeIssue('name', "Name can't be blank")];
  return NAME.test(name) ? [] : [attributeIssue('name', 'Name may contain only letters, digits, - and _')];
}

/** Removes duplicates. Keeps the client's order, because clients compare it with what they wrote. */
function once(stages: readonly Stage[]): Stage[] {
  return [...new Set(stages)];
}
