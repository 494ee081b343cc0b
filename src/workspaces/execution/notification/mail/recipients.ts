import { isMailAddress, type Mailer } from '../../../../mail/index.ts';
import type { Queries } from '../../../../storage/index.ts';
import type { Owner } from '../notification.ts';
import { memberMailboxes } from './members.ts';

/** Recipient of a configuration. */
export interface Recipient {
  /** ID of the user, or the address. */
  readonly key: string;
  readonly address: string;
  readonly isUser: boolean;
}

/** Recipients of a configuration: IDs of users, and addresses. */
export interface RecipientList extends Pick<Owner, 'organizationId' | 'teamId'> {
  readonly emailUsers: readonly string[];
  readonly emailAddresses: readonly string[];
}

/** Domain of addresses that the server makes up for users without one (tenancy/user). */
const NO_ADDRESS = '@no-address.invalid';

/**
 * Returns the recipients who get emails now, each address once. Leaves out users who have left the organization or the
 * team, invited and suspended users, and addresses that the operator does not allow.
 */
export async function recipientsOf(db: Queries, mailer: Mailer, list: RecipientList): Promise<Recipient[]> {
  const members = await memberMailboxes(db, list, list.emailUsers);
  const users = members.filter(({ isActive, email }) => isActive === 1 && !email.endsWith(NO_ADDRESS));
  const allowed = list.emailAddresses.filter((address) => mailer.allows(address));
  const all = [
    ...users.map(({ id, email }) => ({ key: id, address: email, isUser: true })),
    ...allowed.map((address) => ({ key: address, address, isUser: false })),
  ];
  const byAddress = new Map<string, Recipient>();
  for (const one of all) {
    const folded = one.address.toLowerCase();
    if (isMailAddress(one.address) && !byAddress.has(folded)) byAddress.set(folded, one);
  }
  return [...byAddress.values()];
}
