import type { Operation } from '../operation/operation.ts';
import { entityAliasOperations } from './entity/entity-alias-operations.ts';
import { entityOperations } from './entity/entity-operations.ts';
import { groupAliasOperations } from './group/group-alias-operations.ts';
import { groupOperations } from './group/group-operations.ts';
import type { IdentityService } from './identity-service.ts';
import { lookupOperations } from './lookup-operations.ts';

/** Operations below `identity`: entities, groups and their aliases. */
export function identityOperations(identities: IdentityService): readonly Operation[] {
  return [
    ...entityOperations(identities.entities),
    ...entityAliasOperations(identities.aliases),
    ...groupOperations(identities.groups),
    ...groupAliasOperations(identities.groupAliases),
    ...lookupOperations(identities),
  ];
}
