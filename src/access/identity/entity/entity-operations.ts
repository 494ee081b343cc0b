import { answersData, answersKeys, answersNothing, answersWarnings, orNothing } from '../../operation/answer.ts';
import { described, listOrEmpty, parseFields } from '../../operation/fields.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../operation/listing.ts';
import { type Call, DONE, type Operation, type Reply } from '../../operation/operation.ts';
import { idIn, keyIn, NAME, nameIn, OF_ID, OF_NAME, present } from '../common/request-key.ts';
import type { Entity } from './entity.ts';
import { ENTITY_FIELDS, NEW_ENTITY_FIELDS } from './entity-fields.ts';
import type { EntityKey, EntityService } from './entity-service.ts';
import { EntityInfo, EntityShape, entityInfo, entityView, NewEntity } from './entity-view.ts';
import { MERGE_FIELDS } from './merge.ts';
import { Clash, RefusedMerge } from './merge-clash.ts';

const BATCH_FIELDS = described(
  { entity_ids: listOrEmpty() },
  { entity_ids: 'Ids of the entities to delete. Unknown ids are ignored.' },
);

/** Operations on entities. */
export function entityOperations(entities: EntityService): readonly Operation[] {
  const write = async (key: EntityKey | undefined, { data }: Call): Promise<Reply> =>
    created(await entities.write(key, data));
  const read = async (key: EntityKey): Promise<Reply> => ({ data: entityView(present(await entities.details(key))) });
  const remove = async (key: EntityKey): Promise<Reply> => {
    await entities.remove(key);
    return DONE;
  };
  return [
    {
      path: 'entity',
      verb: 'update',
      id: 'entity-create',
      summary: 'Create an entity, or update the one with this id or name',
      answers: orNothing(answersData(NewEntity)),
      fields: NEW_ENTITY_FIELDS,
      handle: (call) => write(keyIn(call.data), call),
    },
    {
      path: 'entity/id',
      verb: 'list',
      id: 'entity-list-by-id',
      summary: 'List entities by id',
      answers: answersKeys(EntityInfo),
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        const page = await entities.store.page(after, most);
        return listReply(
          page.map(({ id }) => id),
          Object.fromEntries(page.map((entity) => [entity.id, entityInfo(entity)])),
        );
      },
    },
    {
      path: 'entity/id/:id',
      verb: 'read',
      id: 'entity-read-by-id',
      summary: 'Read an entity',
      answers: answersData(EntityShape),
      parameters: OF_ID,
      handle: (call) => read({ id: idIn(call) }),
    },
    {
      path: 'entity/id/:id',
      verb: 'update',
      id: 'entity-update-by-id',
      summary: 'Update an entity: its name, metadata, policies or status',
      answers: answersWarnings(),
      parameters: OF_ID,
      fields: ENTITY_FIELDS,
      handle: (call) => write({ id: idIn(call) }, call),
    },
    {
      path: 'entity/id/:id',
      verb: 'delete',
      id: 'entity-delete-by-id',
      summary: 'Delete an entity with its aliases, and revoke its tokens',
      answers: answersNothing(),
      parameters: OF_ID,
      handle: (call) => remove({ id: idIn(call) }),
    },
    {
      path: 'entity/name',
      verb: 'list',
      id: 'entity-list-by-name',
      summary: 'List entities by name',
      answers: answersKeys(),
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        return listReply(await entities.store.names(after, most));
      },
    },
    {
      path: 'entity/name/*name',
      canonical: NAME,
      verb: 'read',
      id: 'entity-read-by-name',
      summary: 'Read an entity by its name',
      answers: answersData(EntityShape),
      parameters: OF_NAME,
      handle: (call) => read({ name: nameIn(call) }),
    },
    {
      path: 'entity/name/*name',
      canonical: NAME,
      verb: 'update',
      id: 'entity-update-by-name',
      summary: 'Create or update the entity with a name',
      answers: orNothing(answersData(NewEntity)),
      parameters: OF_NAME,
      fields: ENTITY_FIELDS,
      handle: (call) => write({ name: nameIn(call) }, call),
    },
    {
      path: 'entity/name/*name',
      canonical: NAME,
      verb: 'delete',
      id: 'entity-delete-by-name',
      summary: 'Delete the entity with a name and its aliases, and revoke its tokens',
      answers: answersNothing(),
      parameters: OF_NAME,
      handle: (call) => remove({ name: nameIn(call) }),
    },
    {
      path: 'entity/batch-delete',
      verb: 'update',
      id: 'entity-batch-delete',
      summary: 'Delete entities with their aliases, and revoke their tokens',
      answers: answersWarnings(),
      fields: BATCH_FIELDS,
      async handle({ data }) {
        const { entity_ids: ids = [] } = parseFields(BATCH_FIELDS, data).values;
        await entities.removeAll(ids);
        return DONE;
      },
    },
    {
      path: 'entity/merge',
      verb: 'update',
      id: 'entity-merge',
      summary: 'Merge entities into one, with their aliases and groups',
      answers: { ...answersWarnings(), 400: RefusedMerge },
      fields: MERGE_FIELDS,
      handle: ({ data }) => entities.merge(data).then(() => DONE, clashReply),
    },
  ];
}

/** Returns data only for a new entity, not for an update. */
function created(entity: Entity | undefined): Reply {
  return entity ? { data: { id: entity.id, name: entity.name, aliases: null } } : DONE;
}

/** Adds the conflicting aliases to the error. */
function clashReply(error: unknown): Reply {
  if (!(error instanceof Clash)) throw error;
  return { status: 400, bare: { errors: [error.message], data: error.view() } };
}
