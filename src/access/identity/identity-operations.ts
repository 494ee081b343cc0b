import type { Operation } from '../operation/operation.ts';
import { aliasOperations } from './alias/alias-operations.ts';
import { ALIAS_FIELDS } from './entity/entity-alias-service.ts';
import { entityOperations } from './entity/entity-operations.ts';
import { GROUP_ALIAS_FIELDS } from './group/group-alias-service.ts';
import { groupOperations } from './group/group-operations.ts';
import { groupAlias } from './group/group-view.ts';
import type { IdentityService } from './identity-service.ts';
import { lookupOperations } from './lookup-operations.ts';

/** Operations below `identity`: entities, groups and their aliases. */
export function identityOperations(identities: IdentityService): readonly Operation[] {
  return [
    ...entityOperations(identities.entities),
    ...aliasOperations({
      kind: 'entity',
      service: identities.aliases,
      fields: ALIAS_FIELDS,
      viewed: (alias) => alias,
      summaries: {
        create: 'Create an entity alias, or update the one with this id, or with this name and mount',
        list: 'List entity aliases',
        read: 'Read an entity alias',
        update: 'Update an entity alias: its name, metadata, mount or entity',
        delete: 'Delete an entity alias; the next login with its name creates a new entity',
      },
    }),
    ...groupOperations(identities.groups),
    ...aliasOperations({
      kind: 'group',
      service: identities.groupAliases,
      fields: GROUP_ALIAS_FIELDS,
      viewed: groupAlias,
      summaries: {
        create: 'Create the alias of an external group, or update the one with this id',
        list: 'List group aliases',
        read: 'Read a group alias',
        update: 'Update a group alias: its name, mount or group',
        delete: 'Delete a group alias',
      },
    }),
    ...lookupOperations(identities),
  ];
}
