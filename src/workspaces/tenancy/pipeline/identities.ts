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
 * An exchange evaluates all identities of the token's issuer.
 * @limit pipeline identities of a team, identities -> 422
 */
export const MOST_OF_TEAM = 50;

/** Fields of a new identity. */
export type PipelineIdentityInput = Omit<PipelineIdentity, 'id' | 'teamId' | 'createdAt' | 'lastUsedAt'>;

/** Changed fields. Missing fields keep their values. */
export type PipelineIdentityChanges = Partial<PipelineIdentityInput>;

/** Fields that decide which tokens an identity accepts. */
const RULES = ['issuer', 'jwksUrl', 'audiences', 'claims'] as const;

export interface PipelineIdentitiesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly teams: Teams;
}

/** Pipeline identities of teams, managed by owners of organizations. */
export class PipelineIdentities {
  readonly #options: PipelineIdentitiesOptions;

  constructor(options: PipelineIdentitiesOptions) {
    this.#options = options;
  }

  /**
   * Creates an identity.
   * @throws 404 without permission; 422 if the limit is reached
   */
  async create(actor: Actor, teamId: string, input: PipelineIdentityInput): Promise<PipelineIdentity> {
    await this.#manage(actor, teamId);
    const { clock, database } = this.#options;
    const createdAt = clock();
    const identity = { ...input, id: prefixedId('pi', createdAt), teamId, createdAt, lastUsedAt: null };
    await database.transaction(async (tx) => {
      if ((await store.countPipelineIdentities(tx, teamId)) >= MOST_OF_TEAM) {
        throw unprocessable([{ detail: `A team may have at most ${MOST_OF_TEAM} pipeline identities` }]);
      }
      await store.insertPipelineIdentity(tx, identity);
    });
    return identity;
  }

  /**
   * Lists the identities of a team.
   * @throws 404 without permission
   */
  async list(actor: Actor, teamId: string, page: Page): Promise<Slice<PipelineIdentity>> {
    await this.#manage(actor, teamId);
    return store.listIdentitiesOfTeam(this.#options.database, teamId, page);
  }

  /**
   * Finds an identity.
   * @throws 404 if it does not exist, or without permission
   */
  async find(actor: Actor, id: string): Promise<PipelineIdentity> {
    const identity = await store.findPipelineIdentity(this.#options.database, id);
    if (identity === undefined) throw notFound();
    await this.#manage(actor, identity.teamId);
    return identity;
  }

  /**
   * Changes an identity. A change of its rules revokes the tokens that were issued by them, because the new rules
   * might refuse them.
   * @throws 404 if the identity does not exist, or without permission
   */
  async update(actor: Actor, id: string, changes: PipelineIdentityChanges): Promise<PipelineIdentity> {
    await this.find(actor, id);
    await this.#options.database.transaction(async (tx) => {
      await store.updatePipelineIdentity(tx, id, changes);
      if (RULES.some((name) => changes[name] !== undefined)) await store.endTokens(tx, id);
    });
    return this.find(actor, id);
  }

  /**
   * Deletes an identity and its tokens.
   * @throws 404 if the identity does not exist, or without permission
   */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.find(actor, id);
    await store.removePipelineIdentity(this.#options.database, id);
  }

  #manage(actor: Actor, teamId: string) {
    return this.#options.teams.find(actor, teamId, 'can-manage-machine-identities');
  }
}
