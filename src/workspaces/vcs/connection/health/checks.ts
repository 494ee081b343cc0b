import type { Clock } from '../../../../lib/clock.ts';
import type { Database, Queries, Transaction } from '../../../../storage/index.ts';
import type { Attempt, DeliveryTask, Ended, Entry, Queue, RowOutbox } from '../../../delivery/index.ts';
import type { Provider } from '../../provider/port.ts';
import { ProviderError } from '../../provider/provider-error.ts';
import type { Connections } from '../access.ts';
import { findConnection } from '../access-store.ts';
import { type Connection, isInstallation } from '../connection.ts';
import { findStoredToken } from '../credential-store.ts';
import { refreshTime } from '../credentials.ts';
import { type Checked, failedCheck } from './health.ts';
import { CHECK_QUEUES, type DueConnection, scheduleCheck, storeHealth, wakeFollowers } from './health-store.ts';

/** @limit concurrent checks of VCS connections of a node, checks -> the others wait */
const MOST_CHECKS = 8;
/** @limit concurrent checks of VCS connections of one organization, checks -> the others wait */
const MOST_OF_ORGANIZATION = 4;
/** @limit concurrent checks of VCS connections at one provider, checks -> the others wait */
const MOST_AT_PROVIDER = 4;
/** Time between two checks of a connection in milliseconds. A connection that works is also checked by its use. */
const RECHECK_MS = 3_600_000;
const RECHECK_REFUSED_MS = 6 * 3_600_000;
/** Time after which the server tries again by itself when a user's check got no response, in milliseconds. */
const RETRY_MS = 5 * 60_000;

interface CheckAttempt extends Attempt {
  readonly checked: Checked;
}

export interface ConnectionChecksOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly connections: Connections;
  /** Returns the adapter of a connection; undefined if the server has none. */
  readonly providerOf: (connection: Pick<Connection, 'id' | 'serviceProvider'>) => Provider | undefined;
}

/** Checks whether providers accept the credentials of connections, and stores the result. */
export class ConnectionChecks {
  readonly #options: ConnectionChecksOptions;

  constructor(options: ConnectionChecksOptions) {
    this.#options = options;
  }

  /** Checks a connection because a user asks for it, or has signed in. */
  async checkNow(connection: Connection): Promise<Checked> {
    const checked = await this.check(connection);
    const { clock, database } = this.#options;
    await database.transaction(async (tx) => {
      await this.store(tx, connection.id, checked, clock());
      if (checked.status === 'unreachable') await scheduleCheck(tx, connection.id, clock() + RETRY_MS);
    });
    return checked;
  }

  /**
   * Sends a request to the provider. Call it outside of transactions.
   * @param held claim of the connection's row that the caller has already
   */
  async check(connection: Connection, held?: string): Promise<Checked> {
    const provider = this.#options.providerOf(connection);
    if (provider === undefined) return { status: 'unverified', reason: 'This server cannot use the provider' };
    try {
      const access = await this.#options.connections.access(connection, { held });
      const { name: account, scopes } = await provider.whoAmI(access);
      return { status: 'ok', reason: null, account, scopes };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return failedCheck(error);
    }
  }

  /** Stores a result, and when the next check is due: soon enough to refresh a token. */
  async store(tx: Transaction, id: string, checked: Checked, now: number): Promise<void> {
    const before = (await findConnection(tx, id))?.status;
    await storeHealth(tx, id, checked, now);
    if (checked.status === 'ok' && before !== 'ok') await wakeFollowers(tx, id, now);
    if (checked.status === 'unreachable') return;
    await scheduleCheck(tx, id, await nextCheck(tx, id, checked, now));
  }

  /** Queue of checks that are due. */
  queue(kind: keyof typeof CHECK_QUEUES): Queue<Entry<DueConnection>, CheckAttempt> {
    return {
      ...QUEUES[kind],
      places: { all: MOST_CHECKS, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: MOST_AT_PROVIDER },
      attempt: async ({ id, claim }) => {
        const connection = await this.#options.connections.find(this.#options.database, id);
        if (connection === undefined) return { outcome: 'arrived', checked: { status: 'unverified', reason: null } };
        const checked = await this.check(connection, claim);
        return { outcome: checked.status === 'unreachable' ? 'failed' : 'arrived', checked };
      },
      settle: (tx, { id }, { checked }, { now }: Ended) => this.store(tx, id, checked, now),
    };
  }
}

const TOKEN_TASK: DeliveryTask = {
  name: 'vcs-connection-check',
  description: 'Checks VCS connections, and refreshes their OAuth tokens.',
};
const INSTALLATION_TASK: DeliveryTask = {
  name: 'vcs-installation-check',
  description: 'Checks installations of GitHub Apps.',
};

const QUEUES: Readonly<
  Record<keyof typeof CHECK_QUEUES, { name: string; task: DeliveryTask; outbox: RowOutbox<DueConnection> }>
> = {
  token: {
    name: 'vcs_connections',
    task: TOKEN_TASK,
    outbox: CHECK_QUEUES.token,
  },
  installation: {
    name: 'vcs_installations',
    task: INSTALLATION_TASK,
    outbox: CHECK_QUEUES.installation,
  },
};

async function nextCheck(db: Queries, id: string, { status }: Checked, now: number): Promise<number> {
  if (status !== 'ok') return now + RECHECK_REFUSED_MS;
  const stored = isInstallation(id) ? undefined : await findStoredToken(db, id);
  return Math.min(now + RECHECK_MS, (stored && refreshTime(stored)) ?? Number.POSITIVE_INFINITY);
}
