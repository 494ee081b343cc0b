import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { described, pairs, parseFields, text } from '../../operation/fields.ts';
import type { Alias, MountedAlias } from '../alias/alias.ts';
import { mountNamed } from '../alias/alias-mounts.ts';
import { usableAliasName } from '../alias/alias-name.ts';
import type { WrittenAlias } from '../alias/alias-operations.ts';
import { changing } from '../common/changing.ts';
import { checkedMetadata, type Metadata } from '../common/metadata.ts';
import { EntityAliasStore } from './entity-alias-store.ts';
import { EntityStore } from './entity-store.ts';
import { newEntity } from './new-entity.ts';

/** Fields of a write. `entity_id` is the former name of `canonical_id`. */
export const ALIAS_FIELDS = described(
  { name: text(), canonical_id: text(), entity_id: text(), mount_accessor: text(), custom_metadata: pairs() },
  {
    name: 'Name of the entity at the mount.',
    canonical_id: 'Id of the entity. Empty: unchanged, or a new entity.',
    entity_id: 'Former name of `canonical_id`.',
    mount_accessor: 'Accessor of the mount.',
    custom_metadata: 'Values by name, for templates in policies. Replaces all existing ones.',
  },
);

/** Values of a request. Empty if absent. */
interface AliasRequest {
  readonly name: string;
  readonly accessor: string;
  readonly entityId: string;
  readonly customMetadata: Metadata | undefined;
}

/** Management of entity aliases. Logins use the same aliases, and create missing ones. */
export class EntityAliasService {
  readonly store: EntityAliasStore;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.store = new EntityAliasStore(database);
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Creates or updates an alias.
   * @param id alias to update; undefined updates the alias with the name and mount of the body, or creates it, by
   * default with a new entity
   * @returns undefined if nothing has changed
   * @throws AppError bad-request
   */
  write(id: string | undefined, body: Readonly<Record<string, unknown>>): Promise<WrittenAlias | undefined> {
    const request = requestIn(body);
    return changing(this.#database, async (tx) => {
      const store = new EntityAliasStore(tx);
      if (id !== undefined) {
        const stored = (await store.find(id)) ?? refuse('invalid alias ID provided');
        return this.#update(tx, stored, request);
      }
      const { name: text, accessor } = request;
      if (accessor === '' || text === '') refuse("'id' or 'mount_accessor' and 'name' must be provided");
      const mountId = await mountNamed(tx, accessor);
      const name = usableAliasName(mountId, text);
      const [stored, another] = await store.named(mountId, name);
      if (another && stored?.issuer !== '')
        refuse('the name exists under two issuers of this mount; use the id of the alias');
      return stored ? this.#update(tx, stored, request) : this.#create(tx, { mountId, name }, request);
    });
  }

  remove(id: string): Promise<void> {
    return changing(this.#database, (tx) => new EntityAliasStore(tx).remove(id));
  }

  async #create(tx: Transaction, key: Pick<Alias, 'mountId' | 'name'>, request: AliasRequest): Promise<WrittenAlias> {
    const { entityId: wanted, customMetadata } = request;
    const store = new EntityAliasStore(tx);
    const entities = new EntityStore(tx);
    const now = this.#clock();
    const entity = wanted === '' ? newEntity(now) : ((await entities.find(wanted)) ?? refuse('invalid canonical ID'));
    if (wanted === '') await entities.insert(entity);
    else if (await store.atMount(wanted, key.mountId)) {
      refuse('Alias already exists for requested entity and mount accessor');
    }
    const alias = { id: randomUUID(), entityId: entity.id, ...key, issuer: '', metadata: null, mergedFrom: [] };
    await store.insert({ ...alias, customMetadata: customMetadata ?? {}, createdAt: now, updatedAt: now });
    return { id: alias.id, canonicalId: alias.entityId };
  }

  async #update(tx: Transaction, stored: MountedAlias, request: AliasRequest): Promise<WrittenAlias | undefined> {
    const { accessor, name: text, entityId, customMetadata } = request;
    const mountId = accessor === '' ? stored.mountId : await mountNamed(tx, accessor);
    const name = text === '' ? stored.name : usableAliasName(mountId, text);
    const renamed = name !== stored.name || mountId !== stored.mountId;
    const alias: Alias = {
      ...stored,
      mountId,
      name,
      entityId: entityId === '' ? stored.entityId : entityId,
      // A name that an administrator sets applies to every issuer of the mount.
      issuer: renamed ? '' : stored.issuer,
      customMetadata: customMetadata ?? stored.customMetadata,
      updatedAt: this.#clock(),
    };
    if (isSame(alias, stored)) return undefined;
    await assertFree(tx, alias, stored);
    await new EntityAliasStore(tx).update(alias);
    return { id: alias.id, canonicalId: alias.entityId };
  }
}

/** @throws AppError bad-request if the name is in use, or the entity has another alias at the mount */
async function assertFree(tx: Transaction, alias: Alias, stored: Alias): Promise<void> {
  const store = new EntityAliasStore(tx);
  const moved = alias.entityId !== stored.entityId;
  if (alias.name !== stored.name || alias.mountId !== stored.mountId) {
    const others = await store.named(alias.mountId, alias.name);
    if (others.some(({ id }) => id !== alias.id)) {
      refuse('alias with combination of mount accessor and name already exists');
    }
  }
  if (moved && !(await new EntityStore(tx).find(alias.entityId))) {
    refuse("given 'canonical_id' is not associated with an entity");
  }
  const there = await store.atMount(alias.entityId, alias.mountId);
  if (there === undefined || there === alias.id) return;
  if (moved) refuse('Alias cannot be updated as the given entity already has an alias for this mount ');
  refuse("Alias cannot be updated as the entity already has an alias for the given 'mount_accessor' ");
}

function requestIn(body: Readonly<Record<string, unknown>>): AliasRequest {
  const { values } = parseFields(ALIAS_FIELDS, body);
  const { name = '', mount_accessor: accessor = '', canonical_id: id = '', entity_id: old = '' } = values;
  const { custom_metadata: customMetadata } = values;
  if (customMetadata) checkedMetadata('custom_metadata', customMetadata);
  return { name, accessor, entityId: id || old, customMetadata };
}

function isSame(a: Alias, b: Alias): boolean {
  const said = ({ entityId, mountId, name, customMetadata }: Alias) =>
    JSON.stringify([entityId, mountId, name, Object.entries(customMetadata ?? {}).sort()]);
  return said(a) === said(b);
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
