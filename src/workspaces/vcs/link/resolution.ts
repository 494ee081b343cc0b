import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { Attempt, DeliveryTask, Ended, Entry, Queue } from '../../delivery/index.ts';
import { mayFollow } from '../connection/allowed-repositories.ts';
import type { ProviderRepository } from '../provider/port.ts';
import { type Failure, failureOf, NO_REPOSITORY } from '../repository/failures.ts';
import type { ConnectionOpener } from '../repository/opened.ts';
import type { Repositories } from '../repository/repositories.ts';
import * as store from './store.ts';

/** @limit concurrent look-ups of repositories that workspaces name, requests of a node -> the others wait */
const MOST_AT_ONCE = 16;
/** @limit concurrent look-ups of repositories that workspaces of one connection name, requests -> the others wait */
const MOST_OF_CONNECTION = 2;
/** @limit workspaces that follow one repository, workspaces -> further ones are not linked */
export const MOST_FOLLOWERS = 5000;
/** Interval at which a link of a connection that was never checked is considered again, milliseconds. */
const UNCHECKED_PAUSE = 60_000;
/** Interval after which a repository that was not found is asked for again, milliseconds. */
const GONE_PAUSE = 3_600_000;

const TOO_MANY = `More than ${MOST_FOLLOWERS} workspaces follow this repository`;
const NOT_ALLOWED = 'The owners of the connection do not allow workspaces to follow this repository';
const UNCHECKED = 'The connection has not been checked yet';

type Row = store.LinkRow;

/** Result of asking for the repository of a link. */
interface Resolved extends Attempt {
  readonly described?: ProviderRepository;
  /** Id of a repository that is known already. */
  readonly repositoryId?: string;
  readonly problem?: string;
  /** Milliseconds until the link is considered again. */
  readonly pauseMs?: number;
}

/** Dependencies of the queue. */
export interface LinkResolutionOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly opener: ConnectionOpener;
  readonly repositories: Repositories;
}

/** Queue that looks up the repository of a new link at its provider, and binds the link to the provider's own id. */
export class LinkResolution implements Queue<Entry<Row>, Resolved> {
  readonly name = 'vcs_links';
  readonly task: DeliveryTask = {
    name: 'vcs-links',
    description: 'Finds the repositories that workspaces name at their VCS providers.',
  };
  readonly outbox = store.unresolvedLinks;
  readonly places = { all: MOST_AT_ONCE, ofOrganization: MOST_AT_ONCE, toReceiver: MOST_OF_CONNECTION };
  readonly #options: LinkResolutionOptions;

  constructor(options: LinkResolutionOptions) {
    this.#options = options;
  }

  async attempt({ row }: Entry<Row>): Promise<Resolved> {
    const { clock, database, opener, repositories } = this.#options;
    const known = await repositories.known(database, row.connectionId, row.identifier, clock());
    if (known !== undefined && (await opener.mayFollow(database, row.connectionId, known.identifier))) {
      return { outcome: 'arrived', repositoryId: known.id };
    }
    try {
      return await this.#ask(row);
    } catch (error) {
      return failed(failureOf(error));
    }
  }

  async #ask({ connectionId, identifier }: Row): Promise<Resolved> {
    const opened = await this.#options.opener.open(this.#options.database, connectionId);
    if (opened === 'gone') return { outcome: 'refused', problem: 'The connection was deleted' };
    if (opened === 'unchecked') return { outcome: 'arrived', problem: UNCHECKED, pauseMs: UNCHECKED_PAUSE };
    const described = await opened.kind.provider.repository(opened.access, { identifier });
    if (described === undefined) return failed(NO_REPOSITORY);
    if (!mayFollow(opened.connection, described.identifier)) return { outcome: 'refused', problem: NOT_ALLOWED };
    return { outcome: 'arrived', described };
  }

  async settle(tx: Transaction, { id, row }: Entry<Row>, resolved: Resolved, { now, dueAt }: Ended): Promise<void> {
    const { repositories } = this.#options;
    const { problem = null, pauseMs, described } = resolved;
    if (problem !== null) {
      await store.bindLink(tx, id, null, problem);
      if (pauseMs !== undefined) await store.setLinkDue(tx, id, Math.max(dueAt, now + pauseMs));
      return;
    }
    const connection = { id: row.connectionId, organizationId: row.organizationId };
    const repositoryId =
      resolved.repositoryId ?? (described && (await repositories.put(tx, connection, described, now)).id);
    if (repositoryId === undefined) return;
    const isFull = (await store.countLinks(tx, repositoryId)) >= MOST_FOLLOWERS;
    await store.bindLink(tx, id, isFull ? null : repositoryId, isFull ? TOO_MANY : null);
    if (!isFull) await repositories.wake(tx, repositoryId, now);
  }
}

function failed({ reason, isGone, retryAfterMs }: Failure): Resolved {
  return { outcome: 'failed', problem: reason, pauseMs: isGone ? GONE_PAUSE : retryAfterMs };
}
