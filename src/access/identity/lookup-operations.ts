import { AppError } from '../../lib/errors.ts';
import { answersData, orNothing } from '../operation/answer.ts';
import { described, parseFields, text } from '../operation/fields.ts';
import { DONE, type Operation, type Reply } from '../operation/operation.ts';
import { EntityShape, entityView } from './entity/entity-view.ts';
import { GroupShape, groupView } from './group/group-view.ts';
import type { IdentityService } from './identity-service.ts';
import type { Query } from './query.ts';

const FIELDS = described(
  { id: text(), name: text(), alias_id: text(), alias_name: text(), alias_mount_accessor: text() },
  {
    id: 'Id of the entity or group.',
    name: 'Name of the entity or group.',
    alias_id: 'Id of one of its aliases.',
    alias_name: 'Name of one of its aliases, with `alias_mount_accessor`.',
    alias_mount_accessor: "Accessor of the alias's mount.",
  },
);

/** Operations that find an entity or a group. They return 204 if nothing is found. */
export function lookupOperations(identities: IdentityService): readonly Operation[] {
  return [
    {
      path: 'lookup/entity',
      verb: 'update',
      id: 'entity-look-up',
      summary: 'Find an entity by its id, its name or one of its aliases',
      answers: orNothing(answersData(EntityShape)),
      fields: FIELDS,
      async handle({ data }): Promise<Reply> {
        const entity = await identities.findEntity(queryOf(data));
        return entity ? { data: entityView(entity) } : DONE;
      },
    },
    {
      path: 'lookup/group',
      verb: 'update',
      id: 'group-look-up',
      summary: 'Find a group by its id, its name or its alias',
      answers: orNothing(answersData(GroupShape)),
      fields: FIELDS,
      async handle({ data }): Promise<Reply> {
        const group = await identities.findGroup(queryOf(data));
        return group ? { data: groupView(group) } : DONE;
      },
    },
  ];
}

/** Parses the query. Refuses more than one criterion, because they could identify different objects. */
function queryOf(data: Readonly<Record<string, unknown>>): Query {
  const { values } = parseFields(FIELDS, data);
  const given = Object.keys(values).length;
  const { id, name, alias_id: aliasId, alias_name: aliasName = '', alias_mount_accessor: accessor = '' } = values;
  if (given === 0) refuse('query parameter not supplied');
  if (given === 2 && aliasName !== '' && accessor !== '') return { aliasName, accessor };
  if (given > 1) refuse('query parameter conflict; please supply distinct set of query parameters');
  if (id !== undefined) return { id };
  if (name !== undefined) return { name };
  if (aliasId !== undefined) return { aliasId };
  return refuse("both 'alias_name' and 'alias_mount_accessor' needs to be set");
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
