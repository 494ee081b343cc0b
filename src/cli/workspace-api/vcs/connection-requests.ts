import { ask } from '../../connection/connection.ts';
import { type OrganizationOptions, organizationOf } from '../../connection/organization.ts';
import { CommandError, usageError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { allPages } from '../pages.ts';
import type { Resource } from '../resource.ts';
import { dataOf } from '../workspace-requests.ts';

/** Options of commands that name a connection. */
export type VcsOptions = OrganizationOptions;

export const CONNECTION_ARGUMENT = ['<connection>', 'connection ID or name'] as const;

/** Returns the connections of the organization. */
export function connectionsOf(options: VcsOptions): Promise<readonly Resource[]> {
  return allPages(options, `/api/v2/organizations/${encodeURIComponent(organizationOf(options))}/oauth-clients`);
}

/** Returns a connection by ID or name. @throws CommandError if there is none, or more than one */
export async function connectionOf(named: string, options: VcsOptions): Promise<Resource> {
  if (/^oc-\w+$/.test(named)) {
    return dataOf((await ask(options, 'workspaces', 'GET', `/api/v2/oauth-clients/${named}`)).body);
  }
  const [found, ...others] = (await connectionsOf(options)).filter(({ attributes }) => attributes.name === named);
  if (found === undefined) {
    throw new CommandError(
      `there is no connection ${named}; \`lockkeeper vcs connections\` lists those that your token can see`,
      EXIT.notFound,
    );
  }
  if (others.length > 0) throw usageError(`${others.length + 1} connections have the name ${named}: use an ID`);
  return found;
}

/** Returns the token of a connection. @throws CommandError if nobody has signed in yet */
export function tokenIdOf({ id, attributes, relationships }: Resource): string {
  const tokens = relationships?.['oauth-tokens']?.data as readonly { readonly id: string }[] | undefined;
  const [token] = tokens ?? [];
  if (token) return token.id;
  throw new CommandError(
    `the connection ${id} has no token yet: open ${String(attributes['connect-path'] ?? 'its connect-path')} of the server in a browser, and sign in at the provider`,
  );
}
