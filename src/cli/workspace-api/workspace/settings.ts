import type { OrganizationOptions } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import { timeOf } from '../relative-time.ts';
import { idByName } from '../workspace-requests.ts';

type Kind = 'text' | 'time' | 'flag' | 'list' | 'project' | 'agent-pool';

/** Settings of a workspace that commands change, by their names in the API. */
const SETTINGS: Readonly<Record<string, Kind>> = {
  'agent-pool': 'agent-pool',
  'allow-destroy-plan': 'flag',
  'assessments-enabled': 'flag',
  'auto-apply': 'flag',
  'auto-apply-run-trigger': 'flag',
  'auto-destroy-activity-duration': 'text',
  'auto-destroy-at': 'time',
  description: 'text',
  engine: 'text',
  'engine-version': 'text',
  'execution-mode': 'text',
  'file-triggers-enabled': 'flag',
  'global-remote-state': 'flag',
  name: 'text',
  project: 'project',
  'project-remote-state': 'flag',
  'queue-all-runs': 'flag',
  'speculative-enabled': 'flag',
  'structured-run-output-enabled': 'flag',
  'trigger-patterns': 'list',
  'trigger-prefixes': 'list',
  'working-directory': 'text',
};

export const SETTINGS_ARGUMENT = [
  '<settings...>',
  `NAME=VALUE; null removes a value, and a time may be relative: auto-destroy-at=2h. Names: ${Object.keys(SETTINGS).join(', ')}`,
] as const;

/** Attributes and relationships of a workspace in a request. */
export interface WorkspaceChange {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, unknown>>;
}

/** Reads settings from the command line; names of projects and pools become IDs. @throws CommandError */
export async function settingsOf(
  args: readonly string[],
  organization: string,
  options: OrganizationOptions,
): Promise<WorkspaceChange> {
  const attributes: Record<string, unknown> = {};
  const relationships: Record<string, unknown> = {};
  for (const arg of args) {
    const { name, kind, value } = settingIn(arg);
    if (kind === 'project') {
      const id = await idByName('projects', { organization, name: value }, options);
      relationships.project = { data: { type: 'projects', id } };
    } else if (kind === 'agent-pool') {
      const isNone = value === 'null';
      const pool = { organization, name: value };
      attributes['agent-pool-id'] = isNone ? null : await idByName('agent-pools', pool, options);
    } else {
      attributes[name] = readValue(arg, kind, value);
    }
  }
  return { attributes, relationships };
}

function settingIn(arg: string): { name: string; kind: Kind; value: string } {
  const [, name = '', value] = /^([^=]+)=([\s\S]*)$/.exec(arg) ?? [];
  const kind = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (value === undefined) throw usageError(`${arg}: expected NAME=VALUE, such as auto-apply=true`);
  if (kind === undefined) {
    throw usageError(`there is no setting ${name}. Settings: ${Object.keys(SETTINGS).join(', ')}`);
  }
  return { name, kind, value };
}

function readValue(arg: string, kind: Kind, value: string): unknown {
  if (value === 'null') return null;
  if (kind === 'list') return value === '' ? [] : value.split(',').map((one) => one.trim());
  if (kind === 'time') return timeOf(value, arg);
  if (kind !== 'flag') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw usageError(`${arg}: expected true or false`);
}
