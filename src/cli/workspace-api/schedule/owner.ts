import type { Command } from 'commander';
import { isoTime } from '../../../lib/clock.ts';
import type { OrganizationOptions } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import type { OutputOptions, Shown } from '../../output/output.ts';
import type { Resource } from '../resource.ts';
import { dataOf, projectIdOf, workspaceIdOf } from '../workspace-requests.ts';

/** Options of the commands about the schedules of a workspace or a project. */
export interface OwnerOptions extends OrganizationOptions {
  readonly project?: string;
}

export const OWNER_ARGUMENT = ['[workspace]', 'workspace ID, name, or ORGANIZATION/NAME'] as const;

export function withProject(command: Command): Command {
  return command.option('--project <project>', 'ID or name of a project, instead of a workspace');
}

/** Returns the API path of the schedules of the workspace or the project. */
export async function schedulesPath(workspace: string | undefined, options: OwnerOptions): Promise<string> {
  const { project } = options;
  if ((workspace === undefined) === (project === undefined)) {
    throw usageError('Name either a workspace or a project: lockkeeper schedule list NAME, or --project NAME');
  }
  if (project !== undefined) return `/api/v2/projects/${await projectIdOf(project, options)}/schedules`;
  return `/api/v2/workspaces/${await workspaceIdOf(workspace ?? '', options)}/schedules`;
}

export const schedulePath = (id: string): string => `/api/v2/schedules/${encodeURIComponent(id)}`;

/** Fields that the table shows. */
export function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  const last = attributes['last-outcome'] as { readonly status: string; readonly reason: string | null } | null;
  return {
    ...{ name: attributes.name, id, operation: attributes.operation, cron: attributes.cron },
    'time-zone': attributes['time-zone'],
    inherited: attributes.inherited,
    next: stateOf(attributes) ?? nextOf(attributes) ?? 'never',
    last: last === null ? '' : [last.status, last.reason].filter(Boolean).join(': '),
  };
}

/** Returns a response with one schedule. The option `--field` selects from all its attributes. */
export function shownSchedule(body: unknown, { field }: Pick<OutputOptions, 'field'>): Shown {
  const resource = dataOf(body);
  const brief = rowOf(resource);
  return { whole: body, brief: field === undefined ? brief : { ...resource.attributes, ...brief } };
}

/** Returns the next time; for a project, where each workspace has another delay, the time between the first and the last. */
function nextOf(attributes: Resource['attributes']): string | undefined {
  const [next] = attributes['next-times'] as readonly string[];
  const { delay, jitter } = attributes;
  if (next === undefined || delay !== null || jitter === 0) return next;
  return `${next} to ${isoTime(Date.parse(next) + Number(jitter) * 1000)}`;
}

function stateOf(attributes: Resource['attributes']): string | undefined {
  if (attributes.paused === true) return 'paused';
  return attributes.excluded === true ? 'excluded' : undefined;
}
