import { DONE, type Operation, type Reply } from '../../api/operation.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../listing.ts';
import { idIn, keyIn, present } from '../naming.ts';
import { ALIAS_FIELDS, type AliasService, NEW_ALIAS_FIELDS, type WrittenAlias } from './alias-service.ts';
import { aliasInfo, aliasView } from './alias-view.ts';

/** What entities are called at the mounts. */
export function aliasOperations(aliases: AliasService): readonly Operation[] {
  return [
    {
      path: 'entity-alias',
      verb: 'update',
      summary: 'Create an alias of an entity, or change the one of this id, or of this name at this mount',
      fields: NEW_ALIAS_FIELDS,
      async handle({ data }) {
        const key = keyIn(data);
        return written(await aliases.write(key && 'id' in key ? key.id : undefined, data));
      },
    },
    {
      path: 'entity-alias/id',
      verb: 'list',
      summary: 'List aliases',
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        const found = await aliases.store.page(after, most);
        return listReply(
          found.map(({ id }) => id),
          Object.fromEntries(found.map((alias) => [alias.id, aliasInfo(alias)])),
        );
      },
    },
    {
      path: 'entity-alias/id/:id',
      verb: 'read',
      summary: 'Read an alias',
      async handle(call) {
        return { data: aliasView(present(await aliases.store.find(idIn(call)))) };
      },
    },
    {
      path: 'entity-alias/id/:id',
      verb: 'update',
      summary: 'Rename an alias, change its metadata, or move it to another mount or entity',
      fields: ALIAS_FIELDS,
      handle: async (call) => written(await aliases.write(idIn(call), call.data)),
    },
    {
      path: 'entity-alias/id/:id',
      verb: 'delete',
      summary: 'Delete an alias; the next login under its name makes a new entity',
      async handle(call) {
        await aliases.remove(idIn(call));
        return DONE;
      },
    },
  ];
}

/** Nothing to say where nothing was different. */
function written(alias: WrittenAlias | undefined): Reply {
  return alias ? { data: { id: alias.id, canonical_id: alias.entityId } } : DONE;
}
