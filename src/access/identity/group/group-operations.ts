import { type Call, DONE, type Operation, type Reply } from '../../api/operation.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../listing.ts';
import { idIn, keyIn, NAME, nameIn, present } from '../naming.ts';
import { GROUP_FIELDS, NEW_GROUP_FIELDS } from './group-fields.ts';
import type { GroupKey, GroupService } from './group-service.ts';
import { groupInfo, groupView } from './group-view.ts';

/** Groups: written by name or id, listed, deleted. */
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
      summary: 'Create a group, or change the one of this id or name',
      fields: NEW_GROUP_FIELDS,
      handle: (call) => write(keyIn(call.data), call),
    },
    {
      path: 'group/id',
      verb: 'list',
      summary: 'List groups by id',
      fields: PAGE_FIELDS,
      handle: (call) => list('id', call),
    },
    {
      path: 'group/id/:id',
      verb: 'read',
      summary: 'Read a group',
      handle: (call) => read({ id: idIn(call) }),
    },
    {
      path: 'group/id/:id',
      verb: 'update',
      summary: 'Change a group: its name, metadata, policies and members',
      fields: GROUP_FIELDS,
      handle: (call) => write({ id: idIn(call) }, call),
    },
    {
      path: 'group/id/:id',
      verb: 'delete',
      summary: 'Delete a group; its members stay',
      handle: (call) => remove({ id: idIn(call) }),
    },
    {
      path: 'group/name',
      verb: 'list',
      summary: 'List groups by name',
      fields: PAGE_FIELDS,
      handle: (call) => list('name', call),
    },
    {
      path: 'group/name/*name',
      canonical: NAME,
      verb: 'read',
      summary: 'Read a group by its name',
      handle: (call) => read({ name: nameIn(call) }),
    },
    {
      path: 'group/name/*name',
      canonical: NAME,
      verb: 'update',
      summary: 'Create a group of a name, or change it',
      fields: GROUP_FIELDS,
      handle: (call) => write({ name: nameIn(call) }, call),
    },
    {
      path: 'group/name/*name',
      canonical: NAME,
      verb: 'delete',
      summary: 'Delete the group of a name; its members stay',
      handle: (call) => remove({ name: nameIn(call) }),
    },
  ];
}
