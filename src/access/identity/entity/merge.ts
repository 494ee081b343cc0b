import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { described, flag, listOrEmpty, parseFields, text } from '../../operation/fields.ts';
import type { MountedAlias } from '../alias/alias.ts';
import { changing } from '../common/changing.ts';
import { GroupMembers } from '../group/group-members.ts';
import { MAX_GROUPS_OF_ENTITY } from '../group/group-service.ts';
import type { EntityWithAliases } from './entity.ts';
import { EntityAliasStore } from './entity-alias-store.ts';
import { EntityStore } from './entity-store.ts';
import { Clash, type Clashing } from './merge-clash.ts';

/** @limit entities merged by one request, entities -> 400 */
const MAX_MERGED_AT_ONCE = 100;
/** @limit entities merged into one entity, entities -> 400 */
const MAX_MERGED = 1_000;

export const MERGE_FIELDS = described(
  {
    from_entity_ids: listOrEmpty(),
    to_entity_id: text(),
    conflicting_alias_ids_to_keep: listOrEmpty(),
    force: flag(),
  },
  {
    from_entity_ids: 'Ids of the entities to merge. They are removed.',
    to_entity_id: 'Id of the entity that stays.',
    conflicting_alias_ids_to_keep: 'Ids of the aliases that stay, if both entities have one at a mount.',
    force: 'Ignored. It concerns second factors, which Lockkeeper does not have.',
  },
);

interface MergeRequest {
  readonly from: readonly string[];
  readonly to: string;
  /** Aliases that stay, if both entities have one at a mount. */
  readonly keep: ReadonlySet<string>;
}

/**
 * Merges several entities into one. The target gets the aliases, groups and tokens of the others, which are removed
 * with their policies and metadata.
 * @throws AppError bad-request; a Clash if the request must name the aliases to keep
 */
export function mergeEntities(
  database: Database,
  clock: Clock,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const request = requestIn(body);
  return changing(database, async (tx) => {
    const to = (await find(tx, request.to)) ?? refuse('entity id to merge to is invalid');
    const from: EntityWithAliases[] = [];
    for (const id of request.from) {
      from.push((await find(tx, id)) ?? refuse('entity id to merge from is invalid'));
    }
    assertApart(to, from, request);
    for (const entity of from) await mergeOne(tx, to.id, entity, request, clock());
    await assertBounds(tx, to.id);
  });
}

function requestIn(body: Readonly<Record<string, unknown>>): MergeRequest {
  const { values } = parseFields(MERGE_FIELDS, body);
  const { to_entity_id: to = '', from_entity_ids: given = [], conflicting_alias_ids_to_keep: kept = [] } = values;
  const from = [...new Set(given)].filter((id) => id !== '');
  if (to === '') refuse('missing entity id to merge to');
  if (from.length === 0) refuse('missing entity ids to merge from');
  if (from.length > MAX_MERGED_AT_ONCE) refuse(`one request can merge at most ${MAX_MERGED_AT_ONCE} entities`);
  if (from.includes(to)) refuse('to_entity_id should not be present in from_entity_ids');
  if (from.length > 1 && kept.length > 1) {
    refuse('aliases conflicts cannot be resolved with multiple from entity ids - merge one entity at a time');
  }
  return { from, to, keep: new Set(kept) };
}

async function find(tx: Transaction, id: string): Promise<EntityWithAliases | undefined> {
  const entity = await new EntityStore(tx).find(id);
  return entity && { ...entity, aliases: await new EntityAliasStore(tx).ofEntity(id) };
}

/** An entity has at most one alias at a mount. The caller must resolve each conflict. */
function assertApart(to: EntityWithAliases, from: readonly EntityWithAliases[], { keep }: MergeRequest): void {
  const owner = new Map<string, EntityWithAliases>();
  const clashes: Clashing[] = [];
  for (const entity of from) {
    for (const alias of entity.aliases) {
      const other = owner.get(alias.mountId);
      if (other) {
        const text = `mount accessor ${alias.mountAccessor} found in multiple fromEntities`;
        refuse(`${text}, merge should be done with one fromEntity at a time`);
      }
      owner.set(alias.mountId, entity);
      const taken = to.aliases.find(({ mountId }) => mountId === alias.mountId);
      if (taken) clashes.push({ to: { entity: to, alias: taken }, from: { entity, alias } });
    }
  }
  if (keep.size === 0 && clashes.length > 0) throw new Clash(clashes);
  const open = clashes.find((clash) => !keep.has(clash.to.alias.id) && !keep.has(clash.from.alias.id));
  if (!open) return;
  const ids = `${open.from.alias.id}, ${open.to.alias.id}`;
  refuse(
    `conflicting mount accessors in following alias IDs and neither were present in conflicting_alias_ids_to_keep: ${ids}`,
  );
}

async function mergeOne(
  tx: Transaction,
  to: string,
  from: EntityWithAliases,
  { keep }: MergeRequest,
  now: number,
): Promise<void> {
  const aliases = new EntityAliasStore(tx);
  for (const alias of from.aliases) await moveAlias(aliases, alias, to, keep, now);
  // Removes aliases of disabled mounts, which are invisible already.
  await aliases.removeOfEntity(from.id);
  const members = new GroupMembers(tx);
  const groups = await members.ofEntity(from.id);
  await members.forgetEntity(from.id);
  for (const group of groups) await members.add(group, 'entities', [to]);
  await new EntityStore(tx).mergeInto(from.id, to);
}

async function moveAlias(
  aliases: EntityAliasStore,
  alias: MountedAlias,
  to: string,
  keep: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const taken = await aliases.atMount(to, alias.mountId);
  if (taken !== undefined && keep.has(taken)) return aliases.remove(alias.id);
  if (taken !== undefined) await aliases.remove(taken);
  await aliases.update({ ...alias, entityId: to, mergedFrom: [...alias.mergedFrom, alias.entityId], updatedAt: now });
}

async function assertBounds(tx: Transaction, id: string): Promise<void> {
  if ((await new EntityStore(tx).mergedInto(id)).length > MAX_MERGED) {
    refuse(`at most ${MAX_MERGED} entities can be merged into one`);
  }
  if ((await new GroupMembers(tx).ofEntity(id)).length > MAX_GROUPS_OF_ENTITY) {
    refuse(`the entity "${id}" would be in more than ${MAX_GROUPS_OF_ENTITY} groups`);
  }
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
