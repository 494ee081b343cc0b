import { type OrganizationOptions, organizationOf } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { allPages } from '../pages.ts';
import { linkedId, type Resource } from '../resource.ts';
import { organizationPath } from '../workspace-requests.ts';

/** Member of an organization. An invited one has no username yet. */
export interface Member {
  /** The membership. */
  readonly resource: Resource;
  readonly username: string;
}

const USER_ID = /^user-\w{16}$/;

export const membershipsPath = (options: OrganizationOptions): string =>
  `${organizationPath(organizationOf(options))}/organization-memberships`;

/** Reads the members of an organization, invited ones included. */
export async function membersOf(options: OrganizationOptions): Promise<readonly Member[]> {
  const names = new Map<string, string>();
  const found = await allPages(options, membershipsPath(options), { include: 'user' }, (included) => {
    for (const { id, type, attributes } of included) if (type === 'users') names.set(id, String(attributes.username));
  });
  return found.map((resource) => {
    return { resource, username: names.get(linkedId(resource.relationships?.user) ?? '') ?? '' };
  });
}

/** Returns a member by username, email address or ID. @throws CommandError if there is none */
export function memberIn(members: readonly Member[], named: string): Member {
  const found = members.find(
    ({ resource, username }) => username === named || resource.attributes.email === named || resource.id === named,
  );
  if (found !== undefined) return found;
  throw new CommandError(`the organization has no member ${named}; \`lockkeeper user list\` lists them`, EXIT.notFound);
}

/**
 * Returns the IDs of users by username, email address or ID. The members are read only if a name needs them.
 * @param optionsOf names the organization of the members
 * @throws CommandError if there is no such member
 */
export async function memberIdsOf(
  named: readonly string[],
  optionsOf: () => OrganizationOptions,
): Promise<readonly string[]> {
  if (named.every((one) => USER_ID.test(one))) return named;
  const members = await membersOf(optionsOf());
  return named.map((one) => {
    if (USER_ID.test(one)) return one;
    const { resource } = memberIn(members, one);
    return linkedId(resource.relationships?.user) ?? resource.id;
  });
}
