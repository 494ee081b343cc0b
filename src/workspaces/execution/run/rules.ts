import { parseEngineVersion } from '../../../lib/engines/version.ts';
import type { Issue } from '../../../lib/errors.ts';
import { isVariableName } from '../../../lib/job/variable-rules.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { READY, type RunStatus } from '../lifecycle/status.ts';
import type { RequestedOptions, Run, RunParameters } from './run.ts';

/** Settings of a workspace that apply to its runs. */
export interface RunDefaults {
  readonly autoApply: boolean;
  readonly engineVersion: string;
  readonly allowsDestroyPlan: boolean;
}

/** Returns the default options of a run. */
export function defaultParameters({ autoApply, engineVersion }: RunDefaults, speculative: boolean): RunParameters {
  return {
    'allow-config-generation': false,
    'allow-empty-apply': false,
    'auto-apply': autoApply && !speculative,
    'invoke-action-addrs': null,
    'is-destroy': false,
    'plan-only': speculative,
    'policy-paths': null,
    refresh: true,
    'refresh-only': false,
    'replace-addrs': null,
    'save-plan': false,
    'target-addrs': null,
    'terraform-version': engineVersion,
  };
}

/**
 * Returns the options of a run: null means the default. A speculative configuration version allows only plan-only
 * runs.
 * @throws 422 with all errors
 */
export function parametersOf(input: RequestedOptions, defaults: RunDefaults, speculative: boolean): RunParameters {
  const base = defaultParameters(defaults, speculative);
  const keys = Object.keys(base) as (keyof RunParameters)[];
  const said = keys.map((key) => [key, input[key] ?? base[key]] as const);
  const parameters = { ...(Object.fromEntries(said) as unknown as RunParameters) };
  const plansOnly = parameters['plan-only'] || speculative;
  const next = { ...parameters, 'plan-only': plansOnly, 'auto-apply': parameters['auto-apply'] && !plansOnly };
  const issues = issuesOf(input, next, defaults);
  if (issues.length > 0) throw unprocessable(issues);
  return next;
}

function issuesOf(input: RequestedOptions, next: RunParameters, defaults: RunDefaults): Issue[] {
  const issues: Issue[] = [];
  const version = input['terraform-version'];
  if (version && !next['plan-only']) {
    issues.push(attributeIssue('terraform-version', 'Terraform version can only be set for plan-only runs'));
  } else if (version && !parseEngineVersion(version)) {
    issues.push(attributeIssue('terraform-version', 'Terraform version is neither a version nor a constraint'));
  }
  if (next['save-plan'] && next['plan-only']) {
    issues.push(attributeIssue('save-plan', 'Save plan cannot be given together with plan only'));
  }
  if (next['refresh-only'] && next['is-destroy']) {
    issues.push(attributeIssue('refresh-only', 'Refresh only cannot be given together with is destroy'));
  }
  if (next['refresh-only'] && !next.refresh) {
    issues.push(attributeIssue('refresh-only', 'Refresh only cannot be given when refresh is false'));
  }
  if (next['is-destroy'] && !next['plan-only'] && !defaults.allowsDestroyPlan) {
    issues.push(attributeIssue('is-destroy', 'Destroy plans are not allowed in this workspace'));
  }
  const keys = (input.variables ?? []).map(({ key }) => key);
  const [unknown] = keys.filter((key) => !isVariableName(key));
  if (unknown !== undefined) {
    const detail = `Variables have the key ${JSON.stringify(unknown)}: a key has letters, digits, - and _, and starts with a letter or _`;
    issues.push(attributeIssue('variables', detail));
  }
  if (new Set(keys).size < keys.length) issues.push(attributeIssue('variables', 'Variables contain a key twice'));
  return issues;
}

/**
 * Returns the status that follows at once after a plan and its evaluation; undefined if a user has to confirm the
 * plan.
 */
export function afterPlan({ status, parameters, hasChanges, canceledAt }: Run): RunStatus | undefined {
  if (!(READY as readonly RunStatus[]).includes(status)) return undefined;
  if (canceledAt !== null) return 'canceled';
  if (parameters['plan-only']) return 'planned_and_finished';
  if (!hasChanges && !parameters['allow-empty-apply']) return 'planned_and_finished';
  if (parameters['save-plan']) return 'planned_and_saved';
  // A client that sets `allow-empty-apply` has requested the apply, so no confirmation is needed.
  return parameters['auto-apply'] || !hasChanges ? 'confirmed' : undefined;
}

/**
 * Returns whether the run is a saved plan that is not being applied: it waits for confirmation, or for the workspace.
 */
export function isSaved({ status, parameters, holdsWorkspace }: Run): boolean {
  if (status === 'planned_and_saved') return true;
  return status === 'confirmed' && parameters['save-plan'] && !holdsWorkspace;
}
