import type { Migration } from '../../storage/index.ts';
import { mountsRolesTokens } from './0001-mounts-roles-tokens.ts';
import { crls } from './0002-crls.ts';
import { accessControl } from './0003-access-control.ts';
import { intermediates } from './0004-intermediates.ts';
import { removedRoles } from './0005-removed-roles.ts';
import { policyFields } from './0006-policy-fields.ts';
import { identityGroups } from './0007-identity-groups.ts';
import { mountFlags } from './0008-mount-flags.ts';
import { tokenParents } from './0009-token-parents.ts';
import { policyUses } from './0011-policy-uses.ts';

/** Schema of the access API, in order of migrations. */
export const accessMigrations: readonly Migration[] = [
  mountsRolesTokens,
  crls,
  accessControl,
  intermediates,
  removedRoles,
  policyFields,
  identityGroups,
  mountFlags,
  tokenParents,
  policyUses,
];
