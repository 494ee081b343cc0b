import type { Operation } from '../operation/operation.ts';
import { type AuthorizationParts, capabilityOperations } from './capability-operations.ts';
import { explainOperation } from './explain-operation.ts';
import { resultantAclOperation } from './resultant-acl-operation.ts';

/** Operations below `sys/` that show and explain the permissions of a token. */
export function authorizationOperations(parts: AuthorizationParts): readonly Operation[] {
  return [...capabilityOperations(parts), explainOperation(parts), resultantAclOperation()];
}
