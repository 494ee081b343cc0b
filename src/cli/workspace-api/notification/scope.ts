import type { Command } from 'commander';
import { type OrganizationOptions, organizationOf } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import type { OutputOptions, Shown } from '../../output/output.ts';
import { teamIdOf } from '../people/team.ts';
import type { Resource } from '../resource.ts';
import { dataOf, projectIdOf, workspaceIdOf } from '../workspace-requests.ts';

/** Options of the commands about the notifications of one scope. */
export interface ScopeOptions extends OrganizationOptions {
  readonly project?: string;
  readonly team?: string;
  readonly all?: boolean;
}

export const SCOPE_ARGUMENT = ['[workspace]', 'workspace ID, name, or ORGANIZATION/NAME'] as const;

export function withScope(command: Command): Command {
  return command
    .option('--project <project>', 'ID or name of a project, instead of a workspace')
    .option('--team <team>', 'ID or name of a team, instead of a workspace')
    .option('--all', 'all workspaces of the organization, instead of one');
}

/** Returns the API path of the notifications of one scope. @throws CommandError unless exactly one scope is named */
export async function notificationsPath(workspace: string | undefined, options: ScopeOptions): Promise<string> {
  const { all, project, team } = options;
  if ([workspace, project, team, all || undefined].filter((one) => one !== undefined).length !== 1) {
    throw usageError('Name one scope: a workspace, --project NAME, --team NAME, or --all for the organization');
  }
  const list = 'notification-configurations';
  if (project !== undefined) return `/api/v2/projects/${await projectIdOf(project, options)}/${list}`;
  if (team !== undefined) return `/api/v2/teams/${await teamIdOf(team, options)}/${list}`;
  if (workspace === undefined) return `/api/v2/organizations/${encodeURIComponent(organizationOf(options))}/${list}`;
  return `/api/v2/workspaces/${await workspaceIdOf(workspace, options)}/${list}`;
}

export const notificationPath = (id: string): string => `/api/v2/notification-configurations/${encodeURIComponent(id)}`;

/** Fields that the table shows. They contain no URL, because the URL of a webhook is a secret. */
export function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  return {
    ...{ name: attributes.name, id, type: attributes['destination-type'], enabled: attributes.enabled },
    triggers: (attributes.triggers as readonly string[]).join(', '),
    notice: attributes.notice ?? '',
  };
}

/** Returns a response with one notification. The option `--field` selects from all its attributes. */
export function shown(body: unknown, { field }: Pick<OutputOptions, 'field'>): Shown {
  const resource = dataOf(body);
  const brief = rowOf(resource);
  return { whole: body, brief: field === undefined ? brief : { ...resource.attributes, ...brief } };
}
