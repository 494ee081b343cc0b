import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Queries, Transaction } from '../../../storage/index.ts';
import { failureOf } from '../repository/failures.ts';
import type { OpenedConnection } from '../repository/opened.ts';
import type { Repository } from '../repository/repository.ts';
import { type Hook, type HookState, hookUrl } from './hook.ts';
import { type HookSecrets, newKey, newSecret } from './secrets.ts';
import * as store from './store.ts';

/** Interval after which the server tries again to make a hook that the connection could not make, milliseconds. */
const TRY_AGAIN = 24 * 3_600_000;
/** Interval after which a hook that the server made is renewed, milliseconds: somebody may have changed it. */
const RENEW = 24 * 3_600_000;

/** Dependencies of `HookKeeper`. */
export interface HookKeeperOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: HookSecrets;
  /** URL of this server as providers reach it. Without it the server makes no hooks. */
  readonly address: string | undefined;
}

/** Result of an attempt to make or remove a hook, to be stored. */
export interface HookChange {
  readonly hook: Hook;
  readonly isNew: boolean;
  readonly state: HookState;
  readonly providerHookId: string | null;
  readonly problem: string | null;
}

/** Makes, renews and removes the webhook of each repository. */
export class HookKeeper {
  readonly #options: HookKeeperOptions;

  constructor(options: HookKeeperOptions) {
    this.#options = options;
  }

  /** Returns the URL of a hook; null without one, or without a configured URL of this server. */
  urlOf(hook: Hook | undefined): string | null {
    const { address } = this.#options;
    return hook === undefined || hook.state === 'removed' || address === undefined ? null : hookUrl(address, hook.key);
  }

  find(db: Queries, repositoryId: string): Promise<Hook | undefined> {
    return store.findHookOf(db, repositoryId);
  }

  /**
   * Makes or renews the hook of a repository if that is due. A failure is no failure of the look-up, which polls
   * instead.
   */
  async keep(
    repository: Repository,
    { connection, kind, access }: OpenedConnection,
    known: Hook | undefined,
  ): Promise<HookChange | undefined> {
    const { address, clock } = this.#options;
    const { hooks } = kind.provider;
    if (hooks === undefined || address === undefined || access.credential.kind === 'app') return undefined;
    const hook = known ?? this.#newHook(repository, connection.serviceProvider);
    const age = clock() - hook.triedAt;
    if ((hook.state === 'made' && age < RENEW) || (hook.state === 'manual' && age < TRY_AGAIN)) return undefined;
    const change = { hook, isNew: known === undefined };
    const wanted = {
      url: hookUrl(address, hook.key),
      secret: this.#options.secrets.open(hook),
      hookId: hook.providerHookId,
    };
    try {
      const providerHookId = await hooks.ensure(access, repository, wanted);
      return { ...change, state: 'made', providerHookId, problem: null };
    } catch (error) {
      const { isTemporary, reason } = failureOf(error);
      const state = isTemporary ? 'wanted' : 'manual';
      return { ...change, state, providerHookId: hook.providerHookId, problem: reason };
    }
  }

  /** Removes the hook of a repository that no workspace follows. */
  async remove(
    repository: Repository,
    { kind, access }: OpenedConnection,
    hook: Hook | undefined,
  ): Promise<HookChange | undefined> {
    if (hook === undefined || hook.githubAppId !== null || hook.state === 'removed') return undefined;
    const { hooks } = kind.provider;
    if (hooks !== undefined && hook.providerHookId !== null)
      await hooks.remove(access, repository, hook.providerHookId);
    return { hook, isNew: false, state: 'removed', providerHookId: null, problem: null };
  }

  /** Stores the result of an attempt. */
  async store(
    tx: Transaction,
    { hook, isNew, state, providerHookId, problem }: HookChange,
    now: number,
  ): Promise<void> {
    if (isNew) await store.insertHook(tx, hook, now);
    await store.setHookState(tx, hook, { id: hook.id, state, providerHookId, problem }, now);
  }

  /** Notes that a change came without a delivery. The repository is polled more often until the next delivery. */
  missed(tx: Transaction, { id }: Hook) {
    return store.setLastDelivery(tx, id, null);
  }

  /**
   * Returns a new secret of the hook, for a user who makes it by hand. The server updates a hook that it
   * made itself.
   */
  async renewSecret(
    tx: Transaction,
    repository: Repository,
    serviceProvider: string,
    now: number,
  ): Promise<{ readonly secret: string }> {
    const { secrets } = this.#options;
    const known = await store.findHookOf(tx, repository.id);
    const hook = known ?? this.#newHook(repository, serviceProvider);
    if (known === undefined) await store.insertHook(tx, { ...hook, state: 'manual' }, now);
    const secret = newSecret();
    await store.setHookSecret(tx, hook.id, secrets.seal(hook.id, secret));
    return { secret };
  }

  #newHook({ id: repositoryId, organizationId }: Repository, serviceProvider: string): Hook {
    const id = prefixedId('vh', this.#options.clock());
    return {
      ...{ id, organizationId, repositoryId, githubAppId: null, serviceProvider, key: newKey() },
      secret: this.#options.secrets.seal(id, newSecret()),
      ...{ providerHookId: null, state: 'wanted', problem: null, triedAt: 0, lastDeliveryAt: null },
    };
  }
}
