import { answersData, answersKeys, answersNothing, answersWarnings, orNothing } from '../../operation/answer.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../operation/listing.ts';
import { type Call, DONE, type Operation, type Reply } from '../../operation/operation.ts';
import { idIn, keyIn, NAME, nameIn, OF_ID, OF_NAME, present } from '../common/request-key.ts';
import { GROUP_FIELDS, NEW_GROUP_FIELDS } from './group-fields.ts';
import type { GroupKey, GroupService } from './group-service.ts';
import { GroupInfo, GroupShape, groupInfo, groupView, NewGroup } from './group-view.ts';

/** Operations on groups. */
export function groupOperations(groups: GroupService): readonly Operation[] {
  const write = async (key: GroupKey | undefined, { data }: Call): Promise<Reply> => {
    const group = await groups.write(key, data);
    return group ? { data: { id: group.id, name: group.name } } : DONE;
  };
  const read = async (key: GroupKey): Promise<Reply> => ({ data: groupView(present(await groups.find(key))) });
  const remove = async (key: GroupKey): Promise<Reply> => {
    await groups.remove(key);
    return DONE;
  };
  const list = async (by: 'id' | 'name', { data }: Call): Promise<Reply> => {
    const { after, most } = pageOf(data);
    const page = await groups.page(by, after, most);
    return listReply(
      page.map((group) => group[by]),
      Object.fromEntries(page.map((group) => [group.id, groupInfo(group)])),
    );
  };
  return [
    {
      path: 'group',
      verb: 'update',
      id: 'group-create',
      summary: 'Create a group, or update the one with this id or name',
      answers: orNothing(answersData(NewGroup)),
      fields: NEW_GROUP_FIELDS,
      handle: (call) => write(keyIn(call.data), call),
    },
    {
      path: 'group/id',
      verb: 'list',
      id: 'group-list-by-id',
      summary: 'List groups by id',
      answers: answersKeys(GroupInfo),
      fields: PAGE_FIELDS,
      handle: (call) => list('id', call),
    },
    {
      path: 'group/id/:id',
      verb: 'read',
      id: 'group-read-by-id',
      summary: 'Read a group',
      answers: answersData(GroupShape),
      parameters: OF_ID,
      handle: (call) => read({ id: idIn(call) }),
    },
    {
      path: 'group/id/:id',
      verb: 'update',
      id: 'group-update-by-id',
      summary: 'Update a group: its name, metadata, policies and members',
      answers: answersWarnings(),
      parameters: OF_ID,
      fields: GROUP_FIELDS,
      handle: (call) => write({ id: idIn(call) }, call),
    },
    {
      path: 'group/id/:id',
      verb: 'delete',
      id: 'group-delete-by-id',
      summary: 'Delete a group; its members are kept',
      answers: answersNothing(),
      parameters: OF_ID,
      handle: (call) => remove({ id: idIn(call) }),
    },
    {
      path: 'group/name',
      verb: 'list',
      id: 'group-list-by-name',
      summary: 'List groups by name',
      answers: answersKeys(GroupInfo),
      fields: PAGE_FIELDS,
      handle: (call) => list('name', call),
    },
    {
      path: 'group/name/*name',
      canonical: NAME,
      verb: 'read',
      id: 'group-read-by-name',
      summary: 'Read a group by its name',
      answers: answersData(GroupShape),
      parameters: OF_NAME,
      handle: (call) => read({ name: nameIn(call) }),
    },
    {
      path: 'group/name/*name',
      canonical: NAME,
      verb: 'update',
      id: 'group-update-by-name',
      summary: 'Create or update the group with a name',
      answers: orNothing(answersData(NewGroup)),
      parameters: OF_NAME,
      fields: GROUP_FIELDS,
      handle: (call) => write({ name: nameIn(call) }, call),
    },
    {
      path: 'group/name/*name',
      canonical: NAME,
      verb: 'delete',
      id: 'group-delete-by-name',
      summary: 'Delete the group with a name; its members are kept',
      answers: answersNothing(),
      parameters: OF_NAME,
      handle: (call) => remove({ name: nameIn(call) }),
    },
  ];
}
