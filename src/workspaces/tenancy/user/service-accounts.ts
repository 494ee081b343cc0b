import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { sql, type Transaction } from '../../../storage/index.ts';
import * as store from './store.ts';

/** Prefix that user names may not have. */
export const SERVICE_PREFIX = 'api-org-';

const updateName = sql<{ id: string; username: string }>(
  'UPDATE account SET username = :username WHERE id = :id AND service = 1',
);

/** Service accounts: they stand for an organization where a user is shown. */
export class ServiceAccounts {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Creates a service account and returns its id. */
  async create(tx: Transaction, organizationName: string): Promise<string> {
    const createdAt = this.#clock();
    const id = prefixedId('user', createdAt);
    const account = { id, username: nameFor(organizationName), email: '', service: 1, invited: 0, createdAt };
    await store.insertUser(tx, {
      ...account,
      unconfirmedEmail: null,
      siteAdmin: 0,
      suspendedAt: null,
      organizationId: null,
    });
    return id;
  }

  /** Renames the account after its organization. */
  async rename(tx: Transaction, id: string, organizationName: string): Promise<void> {
    await tx.run(updateName, { id, username: nameFor(organizationName) });
  }
}

function nameFor(organizationName: string): string {
  return `${SERVICE_PREFIX}${organizationName}`;
}
