import { answersData, answersKeys, answersNothing, orNothing } from '../../operation/answer.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../operation/listing.ts';
import { DONE, type Operation, type Reply } from '../../operation/operation.ts';
import { AliasInfo, AliasShape, aliasInfo, aliasView, WrittenAliasShape } from '../alias/alias-view.ts';
import { idIn, keyIn, OF_ID, present } from '../common/request-key.ts';
import { ALIAS_FIELDS, type EntityAliasService, NEW_ALIAS_FIELDS, type WrittenAlias } from './entity-alias-service.ts';

/** Operations on entity aliases. */
export function entityAliasOperations(aliases: EntityAliasService): readonly Operation[] {
  return [
    {
      path: 'entity-alias',
      verb: 'update',
      id: 'entity-create-alias',
      summary: 'Create an entity alias, or update the one with this id, or with this name and mount',
      answers: orNothing(answersData(WrittenAliasShape)),
      fields: NEW_ALIAS_FIELDS,
      async handle({ data }) {
        const key = keyIn(data);
        return written(await aliases.write(key && 'id' in key ? key.id : undefined, data));
      },
    },
    {
      path: 'entity-alias/id',
      verb: 'list',
      id: 'entity-list-aliases-by-id',
      summary: 'List entity aliases',
      answers: answersKeys(AliasInfo),
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
      id: 'entity-read-alias-by-id',
      summary: 'Read an entity alias',
      answers: answersData(AliasShape),
      parameters: OF_ID,
      async handle(call) {
        return { data: aliasView(present(await aliases.store.find(idIn(call)))) };
      },
    },
    {
      path: 'entity-alias/id/:id',
      verb: 'update',
      id: 'entity-update-alias-by-id',
      summary: 'Update an entity alias: its name, metadata, mount or entity',
      answers: orNothing(answersData(WrittenAliasShape)),
      parameters: OF_ID,
      fields: ALIAS_FIELDS,
      handle: async (call) => written(await aliases.write(idIn(call), call.data)),
    },
    {
      path: 'entity-alias/id/:id',
      verb: 'delete',
      id: 'entity-delete-alias-by-id',
      summary: 'Delete an entity alias; the next login with its name creates a new entity',
      answers: answersNothing(),
      parameters: OF_ID,
      async handle(call) {
        await aliases.remove(idIn(call));
        return DONE;
      },
    },
  ];
}

/** Returns no data if nothing has changed. */
function written(alias: WrittenAlias | undefined): Reply {
  return alias ? { data: { id: alias.id, canonical_id: alias.entityId } } : DONE;
}
