import { AppError } from '../../../lib/errors.ts';
import type { Database } from '../../../storage/index.ts';
import { conflict } from '../../jsonapi/errors.ts';
import { Trials } from '../../platform/trials.ts';
import type { Actor } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import { findLink, withdrawnWorkspaces } from '../link/store.ts';
import { failureOf } from '../repository/failures.ts';
import type { ConnectionOpener, OpenedConnection } from '../repository/opened.ts';
import type { Repository } from '../repository/repository.ts';
import { findRepository } from '../repository/store.ts';
import { check, checkText } from '../verdict/words.ts';

/** @limit time for which a client waits for answers of a Git server or provider, ms -> 422; the client tries again */
const LONGEST_MS = 30_000;
const SLOW = `The Git server did not answer within ${LONGEST_MS / 1000} seconds. Try again later`;
const BUSY = 'Too many requests to Git servers are under way. Try again in a few seconds';
const NO_REPOSITORY = 'The workspace follows no repository. Set vcs-repo first';
const NOT_FOUND_YET = 'The repository has not been found yet. Try again in a minute';
const WITHDRAWN = checkText(check('connection-withdrawn'));
const UNUSABLE = {
  unchecked: 'The connection to the provider has never been checked. An owner can check it',
  gone: 'The connection to the provider was deleted. Choose another one',
};

/** A workspace with access to its repository. */
export interface Target {
  readonly workspace: WorkspaceView;
  readonly repository: Repository;
  readonly opened: OpenedConnection;
}

export interface TargetsOptions {
  readonly database: Database;
  readonly finder: WorkspaceFinder;
  readonly opener: Pick<ConnectionOpener, 'open'>;
}

/** Opens the repositories of workspaces for requests of clients who may read their settings. */
export class Targets {
  readonly #options: TargetsOptions;
  readonly #trials = new Trials(BUSY);

  constructor(options: TargetsOptions) {
    this.#options = options;
  }

  /**
   * Runs work that asks the provider.
   * @throws 404 without permission, 409 without a repository, or if the project may not use the
   *   connection, 422 if the provider gives no answer, 429 above a limit
   */
  async with<T>(actor: Actor, workspaceId: string, work: (target: Target) => Promise<T>): Promise<T> {
    const { finder } = this.#options;
    const workspace = await finder.find(actor, { id: workspaceId }, 'can-read-settings');
    const repository = await this.#repositoryOf(workspace);
    const { organizationId } = workspace;
    const result = this.#trials.run(organizationId, repository.gitUrl, async () =>
      work({ workspace, repository, opened: await this.#open(repository) }),
    );
    return inTime(result).catch(asked);
  }

  async #repositoryOf({ id, settings }: WorkspaceView): Promise<Repository> {
    const { database } = this.#options;
    if (settings['vcs-repo'] === null) throw conflict(NO_REPOSITORY);
    const link = await findLink(database, id);
    const repository = link?.repositoryId ? await findRepository(database, link.repositoryId) : undefined;
    if (repository === undefined) throw conflict(link?.problem ?? NOT_FOUND_YET);
    if ((await withdrawnWorkspaces(database, [id])).has(id)) throw conflict(WITHDRAWN);
    return repository;
  }

  async #open({ connectionId }: Repository): Promise<OpenedConnection> {
    const opened = await this.#options.opener.open(this.#options.database, connectionId);
    if (typeof opened === 'string') throw conflict(UNUSABLE[opened]);
    return opened;
  }
}

/** Converts failures of providers and Git servers. */
function asked(error: unknown): never {
  if (error instanceof AppError) throw error;
  throw new AppError('unprocessable', failureOf(error).reason, { cause: error });
}

/** The work goes on after the client got its answer, and keeps its place among the requests under way. */
function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError('unprocessable', SLOW)), LONGEST_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
