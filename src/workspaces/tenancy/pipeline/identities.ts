import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor } from '../permissions/actor.ts';
import type { Teams } from '../team/teams.ts';
import type { PipelineIdentity } from './store.ts';
import * as store from './store.ts';

/**
 * An exchange looks at all of those of its issuer.
 * @limit pipeline identities of a team, identities -> 422
 */
export const MOST_OF_TEAM = 50;

/** What somebody says of a new identity. */
export type PipelineIdentityInput = Omit<PipelineIdentity, 'id' | 'teamId' | 'createdAt' | 'lastUsedAt'>;

/** What is not named stays as it is. */
export type PipelineIdentityChanges = Partial<PipelineIdentityInput>;

/** What decides whose tokens are taken. */
const RULES = ['issuer', 'jwksUrl', 'audiences', 'claims'] as const;

/** What the service works with. */
export interface PipelineIdentitiesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly teams: Teams;
}

/** Which pipelines act for which team, as owners of organizations decide it. */
export class PipelineIdentities {
  readonly #options: PipelineIdentitiesOptions;

  constructor(options: PipelineIdentitiesOptions) {
    this.#options = options;
  }

  /** @throws 404 for whoever may not decide it, 422 for one too many */
  async create(actor: Actor, teamId: string, input: PipelineIdentityInput): Promise<PipelineIdentity> {
    await this.#manage(actor, teamId);
    const { clock, database } = this.#options;
    const createdAt = clock();
    const identity = { ...input, id: prefixedId('pi', createdAt), teamId, createdAt, lastUsedAt: null };
    await database.transaction(async (tx) => {
      if ((await store.countPipelineIdentities(tx, teamId)) >= MOST_OF_TEAM) {
        throw unprocessable([{ detail: `There are at most ${MOST_OF_TEAM} pipeline identities of a team` }]);
      }
      await store.insertPipelineIdentity(tx, identity);
    });
    return identity;
  }

  /** @throws 404 for whoever may not decide them */
  async list(actor: Actor, teamId: string, page: Page): Promise<Slice<PipelineIdentity>> {
    await this.#manage(actor, teamId);
    return store.listIdentitiesOfTeam(this.#options.database, teamId, page);
  }

  /** @throws 404 when there is none, or the actor may not decide it */
  async find(actor: Actor, id: string): Promise<PipelineIdentity> {
    const identity = await store.findPipelineIdentity(this.#options.database, id);
    if (identity === undefined) throw notFound();
    await this.#manage(actor, identity.teamId);
    return identity;
  }

  /**
   * Where it says anew whose tokens are taken, those that were got by it end: nobody knows whether they would be given now.
   * @throws 404 when there is none, or the actor may not decide it
   */
  async update(actor: Actor, id: string, changes: PipelineIdentityChanges): Promise<PipelineIdentity> {
    await this.find(actor, id);
    await this.#options.database.transaction(async (tx) => {
      await store.updatePipelineIdentity(tx, id, changes);
      if (RULES.some((name) => changes[name] !== undefined)) await store.endTokens(tx, id);
    });
    return this.find(actor, id);
  }

  /** Tokens that were got by it end with it. @throws 404 when there is none, or the actor may not decide it */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.find(actor, id);
    await store.removePipelineIdentity(this.#options.database, id);
  }

  #manage(actor: Actor, teamId: string) {
    return this.#options.teams.find(actor, teamId, 'can-manage-machine-identities');
  }
}
