import { type Call, DONE, type Operation, type Reply } from '../../api/operation.ts';
import { listOrEmpty, parseFields } from '../../fields.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../listing.ts';
import type { IdentityService } from '../identity-service.ts';
import { idIn, keyIn, NAME, nameIn, present } from '../naming.ts';
import type { Entity } from './entity.ts';
import { ENTITY_FIELDS, NEW_ENTITY_FIELDS } from './entity-fields.ts';
import type { EntityKey } from './entity-service.ts';
import { entityInfo, entityView } from './entity-view.ts';
import { MERGE_FIELDS } from './merge.ts';
import { Clash } from './merge-clash.ts';

const BATCH_FIELDS = { entity_ids: listOrEmpty() };

/** Entities: written by name or id, listed, deleted, merged. */
export function entityOperations(identities: IdentityService): readonly Operation[] {
  const { entities } = identities;
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
      summary: 'Create an entity, or change the one of this id or name',
      fields: NEW_ENTITY_FIELDS,
      handle: (call) => write(keyIn(call.data), call),
    },
    {
      path: 'entity/id',
      verb: 'list',
      summary: 'List entities by id',
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
      summary: 'Read an entity',
      handle: (call) => read({ id: idIn(call) }),
    },
    {
      path: 'entity/id/:id',
      verb: 'update',
      summary: 'Rename an entity, change its metadata and policies, disable or enable it',
      fields: ENTITY_FIELDS,
      handle: (call) => write({ id: idIn(call) }, call),
    },
    {
      path: 'entity/id/:id',
      verb: 'delete',
      summary: 'Delete an entity and its aliases; its tokens end with it',
      handle: (call) => remove({ id: idIn(call) }),
    },
    {
      path: 'entity/name',
      verb: 'list',
      summary: 'List entities by name',
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
      summary: 'Read an entity by its name',
      handle: (call) => read({ name: nameIn(call) }),
    },
    {
      path: 'entity/name/*name',
      canonical: NAME,
      verb: 'update',
      summary: 'Create an entity of a name, or change it',
      fields: ENTITY_FIELDS,
      handle: (call) => write({ name: nameIn(call) }, call),
    },
    {
      path: 'entity/name/*name',
      canonical: NAME,
      verb: 'delete',
      summary: 'Delete the entity of a name, and its aliases; its tokens end with it',
      handle: (call) => remove({ name: nameIn(call) }),
    },
    {
      path: 'entity/batch-delete',
      verb: 'update',
      summary: 'Delete entities and their aliases; their tokens end with them',
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
      summary: 'Make several entities one, with the aliases and groups of all',
      fields: MERGE_FIELDS,
      handle: ({ data }) => identities.merge(data).then(() => DONE, clashReply),
    },
  ];
}

/** What there was is changed without a word. */
function created(entity: Entity | undefined): Reply {
  return entity ? { data: { id: entity.id, name: entity.name, aliases: null } } : DONE;
}

/** Which aliases there are to choose from stands beside the error. */
function clashReply(error: unknown): Reply {
  if (!(error instanceof Clash)) throw error;
  return { status: 400, bare: { errors: [error.message], data: error.view() } };
}
