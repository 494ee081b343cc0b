import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Database } from '../../storage/index.ts';
import type { TemplateIdentity } from '../policies/template.ts';
import { aliasNameOf } from './alias-name.ts';
import type { EntityWithAliases } from './entity.ts';
import { entityName, mergeEntity, plainName } from './entity-fields.ts';
import { EntityStore } from './entity-store.ts';
import { type KnownAlias, LoginStore } from './login-store.ts';

/** Aliases that one step removes. */
const STEP = 1000;

export interface LoginIdentityRequest {
  /** The mount's id. */
  readonly mountId: string;
  /** What the login calls whoever logs in: a common name. In any form. */
  readonly aliasName: string;
  /** Who vouches for the name: two authorities may give it to two machines. Absent where the mount itself does. */
  readonly issuer?: string;
  /** To be kept with the alias; undefined where the mount does not keep any. */
  readonly metadata: Readonly<Record<string, string>> | undefined;
}

/** Whose login it is, or why it must be refused: the entity is disabled, or what was given cannot be a name. */
export type LoginIdentity = { readonly entityId: string } | { readonly refused: 'disabled' | 'unusable-name' };

/** How a look-up names an entity. */
export type EntityQuery =
  | { readonly id: string }
  | { readonly name: string }
  | { readonly aliasId: string }
  | { readonly aliasName: string; readonly accessor: string };

/** Who is behind the tokens: one entity for each name at each mount, made when it first logs in. */
export class IdentityService {
  readonly entities: EntityStore;
  readonly #logins: LoginStore;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.entities = new EntityStore(database);
    this.#logins = new LoginStore(database);
    this.#clock = clock;
  }

  /** One read where nothing is new. Logins at the same time get the same entity. */
  async forLogin({ mountId, aliasName, issuer = '', metadata }: LoginIdentityRequest): Promise<LoginIdentity> {
    const name = aliasNameOf(aliasName);
    if (name === undefined) return { refused: 'unusable-name' };
    const kept = metadata ? JSON.stringify(metadata) : null;
    const key = { mountId, name, issuer };
    const alias = (await this.#logins.find(key)) ?? (await this.#logins.findOrCreate(key, kept, this.#clock()));
    if (alias.disabled === 1) return { refused: 'disabled' };
    await this.#keepMetadata(alias, kept);
    return { entityId: alias.entity_id };
  }

  /** For policies with templates. Undefined when the entity was deleted: its templates mean nothing then. */
  async templateIdentity(entityId: string): Promise<TemplateIdentity | undefined> {
    const entity = await this.entities.find(entityId);
    if (!entity || entity.disabled) return undefined;
    const { id, name, metadata, aliases } = entity;
    const byAccessor = aliases.map((alias) => [
      alias.mountAccessor,
      { id: alias.id, name: alias.name, metadata: alias.metadata ?? {} },
    ]);
    return { id, name, metadata, aliases: Object.fromEntries(byAccessor) };
  }

  async find(query: EntityQuery): Promise<EntityWithAliases | undefined> {
    if ('id' in query) return this.entities.find(query.id);
    if ('name' in query) return this.entities.findByName(plainName(query.name));
    const alias = await this.#findAlias(query);
    return alias && this.entities.find(alias.entityId);
  }

  /** @throws AppError not-found, bad-request */
  async change(id: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    const outcome = await this.entities.change(id, (entity) => mergeEntity(entity, body, this.#clock()));
    if (outcome === 'missing') throw new AppError('not-found', '');
    if (outcome === 'taken') throw new AppError('bad-request', 'entity name is already in use');
  }

  /** All tokens that stand for it end with it, at once; the next login under one of its names makes a new one. */
  remove(id: string): Promise<void> {
    return this.entities.remove(id);
  }

  async removeByName(text: string): Promise<void> {
    const entity = await this.entities.findByName(entityName(text));
    if (entity) await this.entities.remove(entity.id);
  }

  /** Removes some aliases of a mount that was disabled, in one bounded step; false when none are left. Entities stay. */
  async removeSomeOfMount(mountId: string): Promise<boolean> {
    return (await this.entities.removeAliasesOfMount(mountId, STEP)) === STEP;
  }

  async #findAlias(query: Extract<EntityQuery, { aliasId: string } | { aliasName: string }>) {
    if ('aliasId' in query) return this.entities.findAlias(query.aliasId);
    const name = aliasNameOf(query.aliasName);
    return name === undefined ? undefined : this.entities.findAliasByName(query.accessor, name);
  }

  async #keepMetadata({ id, metadata }: KnownAlias, wanted: string | null): Promise<void> {
    if (metadata !== wanted) await this.#logins.setMetadata(id, wanted, this.#clock());
  }
}
