import { answersData, answersKeys, answersNothing, orNothing } from '../../operation/answer.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../operation/listing.ts';
import { DONE, type Operation, type Reply } from '../../operation/operation.ts';
import { AliasInfo, AliasShape, WrittenAliasShape } from '../alias/alias-view.ts';
import { idIn, keyIn, OF_ID, present } from '../common/request-key.ts';
import {
  GROUP_ALIAS_FIELDS,
  type GroupAliasService,
  NEW_GROUP_ALIAS_FIELDS,
  type WrittenGroupAlias,
} from './group-alias-service.ts';
import { groupAliasInfo, groupAliasView } from './group-view.ts';

/** Operations on aliases of external groups. */
export function groupAliasOperations(aliases: GroupAliasService): readonly Operation[] {
  return [
    {
      path: 'group-alias',
      verb: 'update',
      id: 'group-create-alias',
      summary: 'Create the alias of an external group, or update the one with this id',
      answers: orNothing(answersData(WrittenAliasShape)),
      fields: NEW_GROUP_ALIAS_FIELDS,
      async handle({ data }) {
        const key = keyIn(data);
        return written(await aliases.write(key && 'id' in key ? key.id : undefined, data));
      },
    },
    {
      path: 'group-alias/id',
      verb: 'list',
      id: 'group-list-aliases-by-id',
      summary: 'List group aliases',
      answers: answersKeys(AliasInfo),
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        const found = await aliases.store.page(after, most);
        return listReply(
          found.map(({ id }) => id),
          Object.fromEntries(found.map((alias) => [alias.id, groupAliasInfo(alias)])),
        );
      },
    },
    {
      path: 'group-alias/id/:id',
      verb: 'read',
      id: 'group-read-alias-by-id',
      summary: 'Read a group alias',
      answers: answersData(AliasShape),
      parameters: OF_ID,
      async handle(call) {
        return { data: groupAliasView(present(await aliases.store.find(idIn(call)))) };
      },
    },
    {
      path: 'group-alias/id/:id',
      verb: 'update',
      id: 'group-update-alias-by-id',
      summary: 'Update a group alias: its name, mount or group',
      answers: orNothing(answersData(WrittenAliasShape)),
      parameters: OF_ID,
      fields: GROUP_ALIAS_FIELDS,
      handle: async (call) => written(await aliases.write(idIn(call), call.data)),
    },
    {
      path: 'group-alias/id/:id',
      verb: 'delete',
      id: 'group-delete-alias-by-id',
      summary: 'Delete a group alias',
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
function written(alias: WrittenGroupAlias | undefined): Reply {
  return alias ? { data: { id: alias.id, canonical_id: alias.groupId } } : DONE;
}
