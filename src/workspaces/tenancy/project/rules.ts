import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue } from '../../jsonapi/errors.ts';
import { type ExecutionInput, executionIssues, nextExecution } from '../organization/execution-mode.ts';
import type { ProjectSettings } from './project.ts';

/** Valid names of projects, as in HCP Terraform. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 _-]{1,38}[A-Za-z0-9_-]$/;
const NAME_RULE =
  'Name may only contain 3 to 40 letters, digits, spaces, - and _. It must start with a letter or digit and must not end with a space';

const DURATION = /^(?!0+[dh])\d{1,4}[dh]$/;
/** Official clients match on these words. */
const DURATION_RULE =
  "Auto destroy activity duration has an incorrect format, we expect up to 4 numeric digits and 1 unit ('d' or 'h')";

/** Settings of a new project before the client's input. */
export const NEW_PROJECT: ProjectSettings = {
  name: '',
  description: null,
  autoDestroyActivityDuration: null,
  defaultExecutionMode: null,
  defaultAgentPoolId: null,
};

/** Changes from a client. Missing fields keep their values. */
export interface ProjectInput {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly autoDestroyActivityDuration?: string | null | undefined;
  readonly execution: ExecutionInput;
}

/** Returns the settings after the input, and their errors. */
export function nextProject(current: ProjectSettings, input: ProjectInput): { next: ProjectSettings; issues: Issue[] } {
  const { name = current.name, description = current.description } = input;
  const { autoDestroyActivityDuration = current.autoDestroyActivityDuration } = input;
  const execution = nextExecution(current, input.execution);
  const issues = [
    ...(NAME.test(name) ? [] : [attributeIssue('name', NAME_RULE)]),
    ...(autoDestroyActivityDuration === null || DURATION.test(autoDestroyActivityDuration)
      ? []
      : [attributeIssue('auto-destroy-activity-duration', DURATION_RULE)]),
    ...executionIssues(execution, input.execution),
  ];
  return { next: { name, description, autoDestroyActivityDuration, ...execution }, issues };
}
