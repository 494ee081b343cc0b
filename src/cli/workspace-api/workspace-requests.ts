import type { Command } from 'commander';
import { ask, type ConnectionOptions, setting } from '../connection/connection.ts';
import { usageError } from '../errors/command-error.ts';
import type { Shown } from '../output/output.ts';
import type { Resource } from './resource.ts';

/** Options of all workspace commands. */
export interface OrganizationOptions extends ConnectionOptions {
  readonly organization?: string;
}

const WORKSPACE_ID = /^ws-\w{16}$/;

export const WORKSPACE_ARGUMENT = ['<workspace>', 'workspace ID, name, or ORGANIZATION/NAME'] as const;

export function withOrganization(command: Command): Command {
  return command.option(
    '--organization <name>',
    'organization (default: LOCKKEEPER_ORGANIZATION or TF_CLOUD_ORGANIZATION)',
  );
}

export function organizationOf({ organization }: OrganizationOptions): string {
  const name = organization ?? setting('LOCKKEEPER_ORGANIZATION', 'TF_CLOUD_ORGANIZATION');
  if (name !== undefined) return name;
  throw usageError('The organization is missing. Set --organization or LOCKKEEPER_ORGANIZATION');
}

/** Returns the API path of a workspace by ID, name, or ORGANIZATION/NAME. */
export function workspacePath(named: string, options: OrganizationOptions): string {
  if (WORKSPACE_ID.test(named)) return `/api/v2/workspaces/${named}`;
  const [organization, name, ...rest] = named.includes('/') ? named.split('/') : [organizationOf(options), named];
  if (!organization || !name || rest.length > 0) throw usageError(`${named}: expected NAME or ORGANIZATION/NAME`);
  return `/api/v2/organizations/${encodeURIComponent(organization)}/workspaces/${encodeURIComponent(name)}`;
}

/** Returns the ID of a workspace. @throws CommandError if it does not exist */
export async function workspaceIdOf(named: string, options: OrganizationOptions): Promise<string> {
  if (WORKSPACE_ID.test(named)) return named;
  return dataOf((await ask(options, 'workspaces', 'GET', workspacePath(named, options))).body).id;
}

/** Locks or unlocks a workspace. @throws CommandError with the server's reason */
export async function act(named: string, action: string, body: unknown, options: OrganizationOptions): Promise<Shown> {
  const path = `/api/v2/workspaces/${await workspaceIdOf(named, options)}/actions/${action}`;
  const { body: answer } = await ask(options, 'workspaces', 'POST', path, body);
  return { whole: answer, brief: rowOf(dataOf(answer)) };
}

export function dataOf(body: unknown): Resource {
  return (body as { readonly data: Resource }).data;
}

/** Fields that the table shows. */
export function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  return {
    name: attributes.name,
    id,
    locked: attributes.locked,
    'execution-mode': attributes['execution-mode'],
    resources: attributes['resource-count'],
    'updated-at': attributes['updated-at'],
  };
}
