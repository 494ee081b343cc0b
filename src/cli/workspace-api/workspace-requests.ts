import { ask } from '../connection/connection.ts';
import { type OrganizationOptions, organizationOf } from '../connection/organization.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { allPages } from './pages.ts';
import { linkedId, type Resource } from './resource.ts';

const WORKSPACE_ID = /^ws-\w{16}$/;

export const WORKSPACE_ARGUMENT = ['<workspace>', 'workspace ID, name, or ORGANIZATION/NAME'] as const;

/** Returns the API path of a workspace by ID, name, or ORGANIZATION/NAME. */
export function workspacePath(named: string, options: OrganizationOptions): string {
  if (WORKSPACE_ID.test(named)) return `/api/v2/workspaces/${named}`;
  const { organization, name } = qualifiedName(named, options);
  return `${organizationPath(organization)}/workspaces/${encodeURIComponent(name)}`;
}

/** Splits NAME or ORGANIZATION/NAME. @throws CommandError for anything else, or without an organization */
export function qualifiedName(named: string, options: OrganizationOptions): { organization: string; name: string } {
  const [organization, name, ...rest] = named.includes('/') ? named.split('/') : [organizationOf(options), named];
  if (!organization || !name || rest.length > 0) throw usageError(`${named}: expected NAME or ORGANIZATION/NAME`);
  return { organization, name };
}

/** Returns the organization of ORGANIZATION/NAME as an option; without one, the option of the command is kept. */
export function organizationOfName(named: string): { readonly organization?: string } {
  const [organization, name] = named.split('/');
  return organization && name ? { organization } : {};
}

export const organizationPath = (organization: string): string =>
  `/api/v2/organizations/${encodeURIComponent(organization)}`;

/** Reads a workspace by ID, name, or ORGANIZATION/NAME. @throws CommandError if it does not exist */
export async function workspaceOf(named: string, options: OrganizationOptions): Promise<Resource> {
  return dataOf((await ask(options, 'workspaces', 'GET', workspacePath(named, options))).body);
}

/** Returns the ID of a workspace. @throws CommandError if it does not exist */
export async function workspaceIdOf(named: string, options: OrganizationOptions): Promise<string> {
  return WORKSPACE_ID.test(named) ? named : (await workspaceOf(named, options)).id;
}

/** Returns the ID of something with a name, in a list of the organization. @throws CommandError if there is none */
export async function idByName(
  kind: string,
  { organization, name }: { readonly organization: string; readonly name: string },
  options: OrganizationOptions,
): Promise<string> {
  const found = await allPages(options, `${organizationPath(organization)}/${kind}`);
  const one = found.find(({ id, attributes }) => attributes.name === name || id === name);
  if (one !== undefined) return one.id;
  const noun = kind.replaceAll('-', ' ').replace(/s$/, '');
  throw new CommandError(
    `the organization ${organization} has no ${noun} ${name} that your token can see`,
    EXIT.notFound,
  );
}

const PROJECT_ID = /^prj-\w{16}$/;

/** Returns the ID of a project by ID, name, or ORGANIZATION/NAME. @throws CommandError if there is none */
export async function projectIdOf(named: string, options: OrganizationOptions): Promise<string> {
  return PROJECT_ID.test(named) ? named : idByName('projects', qualifiedName(named, options), options);
}

export function dataOf(body: unknown): Resource {
  return (body as { readonly data: Resource }).data;
}

/** Fields that the table shows. */
export function rowOf({ id, attributes, relationships }: Resource): Record<string, unknown> {
  return {
    name: attributes.name,
    id,
    locked: attributes.locked,
    'locked-by': attributes['locked-by-name'] ?? linkedId(relationships?.['locked-by']),
    'execution-mode': attributes['execution-mode'],
    resources: attributes['resource-count'],
    'updated-at': attributes['updated-at'],
  };
}
