import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue } from '../../jsonapi/errors.ts';
import { isEmail } from '../user/email.ts';
import { DEFAULT_ENGINE, type EngineKind } from './engine.ts';
import { type ExecutionInput, executionIssues, nextExecution } from './execution-mode.ts';
import { nameIssues } from './name.ts';
import { DEFAULT_SETTINGS, type Organization, type OrganizationSettings } from './organization.ts';

/** Changes from a client. Missing fields keep their values; null restores the default. */
export interface OrganizationInput {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly execution: ExecutionInput;
  readonly defaultEngine?: EngineKind | null | undefined;
  readonly allowForceDelete?: boolean | null | undefined;
  readonly userTokensEnabled?: boolean | null | undefined;
  readonly settings: { readonly [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] | null | undefined };
}

/** Fields of an organization that its owners can set. */
export type Settable = Omit<Organization, 'id' | 'defaultProjectId' | 'workspaceCount' | 'createdAt'>;

/** Fields of a new organization before the client's input. */
export const NEW_ORGANIZATION: Settable = {
  name: '',
  email: '',
  defaultExecutionMode: 'remote',
  defaultAgentPoolId: null,
  defaultEngine: DEFAULT_ENGINE,
  allowForceDelete: 0,
  userTokensEnabled: 1,
  settings: DEFAULT_SETTINGS,
};

/** Returns the settings after the input, and their errors. */
export function nextOrganization<Current extends Settable>(
  current: Current,
  input: OrganizationInput,
): { next: Current; issues: Issue[] } {
  const { name = current.name, email = current.email } = input;
  // An organization has nothing to inherit a mode from.
  const mode = input.execution.mode === null ? 'remote' : input.execution.mode;
  const execution = nextExecution(current, { ...input.execution, mode });
  const issues = [
    ...nameIssues(name),
    ...(isEmail(email) ? [] : [attributeIssue('email', 'Email is not a valid email address')]),
    ...executionIssues(execution, input.execution),
    ...policyIssues(input.settings),
    ...statusIssues(mergedSettings(current.settings, input.settings), input.settings),
  ];
  const { defaultExecutionMode, defaultAgentPoolId } = execution;
  const next = {
    ...current,
    name,
    email,
    defaultExecutionMode: defaultExecutionMode ?? 'remote',
    defaultAgentPoolId,
    defaultEngine: input.defaultEngine === undefined ? current.defaultEngine : (input.defaultEngine ?? DEFAULT_ENGINE),
    allowForceDelete: flag(input.allowForceDelete, false) ?? current.allowForceDelete,
    userTokensEnabled: flag(input.userTokensEnabled, true) ?? current.userTokensEnabled,
    settings: mergedSettings(current.settings, input.settings),
  };
  return { next, issues };
}

/** An organization that requires a second factor would believe that its members have one. */
function policyIssues(given: OrganizationInput['settings']): Issue[] {
  if (given['collaborator-auth-policy'] !== 'two_factor_mandatory') return [];
  const detail = 'This server has no second factor: require it at the identity provider of single sign-on';
  return [attributeIssue('collaborator-auth-policy', detail)];
}

const AGGREGATED = 'aggregated-commit-status-enabled';
const PASSING = 'send-passing-statuses-for-untriggered-speculative-plans';

/** Statuses of workspaces without a plan make sense only where each workspace has a status of its own. */
function statusIssues(next: OrganizationSettings, given: OrganizationInput['settings']): Issue[] {
  if (!next[AGGREGATED] || !next[PASSING]) return [];
  return [AGGREGATED, PASSING].flatMap((name) =>
    given[name as typeof AGGREGATED] === true
      ? [attributeIssue(name, `${AGGREGATED} and ${PASSING} exclude each other. Set one of them to false`)]
      : [],
  );
}

function flag(given: boolean | null | undefined, byDefault: boolean): number | undefined {
  return given === undefined ? undefined : Number(given ?? byDefault);
}

function mergedSettings(current: OrganizationSettings, given: OrganizationInput['settings']): OrganizationSettings {
  const names = (Object.keys(DEFAULT_SETTINGS) as (keyof OrganizationSettings)[]).filter(
    (name) => given[name] !== undefined,
  );
  return { ...current, ...Object.fromEntries(names.map((name) => [name, given[name] ?? DEFAULT_SETTINGS[name]])) };
}
