import type { Clock } from '../../lib/clock.ts';
import type { Operation } from '../operation/operation.ts';
import { type CreateParts, createOperations } from './creation/create-operations.ts';
import { lookupOperations } from './lookup/lookup-operations.ts';
import { renewOperations } from './renewal/renew-operations.ts';
import type { RenewalParts } from './renewal/renew-token.ts';
import { revokeOperations } from './revoke-operations.ts';
import { tokenRoleOperations } from './role/token-role-operations.ts';

export type { RenewByMethod } from './renewal/renew-token.ts';

export type TokenParts = CreateParts & RenewalParts & { readonly clock: Clock };

/** All operations below `auth/token`. */
export function tokenOperations(parts: TokenParts): readonly Operation[] {
  return [
    ...createOperations(parts),
    ...lookupOperations(parts),
    ...renewOperations(parts),
    ...revokeOperations(parts.tokens),
    ...tokenRoleOperations(parts.tokens.roles, parts.limits),
  ];
}
