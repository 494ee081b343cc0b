import { ask } from '../../connection/connection.ts';
import type { OrganizationOptions } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import type { Resource } from '../resource.ts';
import { workspaceIdOf } from '../workspace-requests.ts';

/** Category of a variable: of the configuration, or of the environment of runs. */
export type Category = 'terraform' | 'env';

/** Returns the API path of the variables of a workspace. */
export async function variablesPath(named: string, options: OrganizationOptions): Promise<string> {
  return `/api/v2/workspaces/${await workspaceIdOf(named, options)}/vars`;
}

/** Returns the variables of a workspace, without those of sets. */
export async function variablesAt(path: string, options: OrganizationOptions): Promise<readonly Resource[]> {
  return ((await ask(options, 'workspaces', 'GET', path)).body as { readonly data: readonly Resource[] }).data;
}

/** Returns a variable by name. @throws CommandError if there is none, or one of each category */
export function variableIn(all: readonly Resource[], key: string, category: Category | undefined): Resource {
  const found = all.filter(
    ({ attributes }) => attributes.key === key && (category ?? attributes.category) === attributes.category,
  );
  const [one, other] = found;
  if (other !== undefined)
    throw new CommandError(`there are two variables ${key}: choose one with --env or --terraform`);
  if (one !== undefined) return one;
  throw new CommandError(`the workspace has no variable ${key}; a variable set may have one`, EXIT.notFound);
}

/** Fields that the table shows. */
export function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  const { key, category, sensitive, hcl, description } = attributes;
  const value = sensitive === true ? '(sensitive)' : attributes.value;
  return { name: key, category, value, ...(hcl === true && { hcl }), description, id };
}
