import type { Operation } from '../operation/operation.ts';
import { type ServerParts, serverOperations } from './server-operations.ts';
import { absentOperations } from './stub-operations.ts';
import { toolsOperations } from './tools-operations.ts';
import { type VersionHistory, versionHistoryOperation } from './version-history.ts';

/** What there is below `sys` of the server itself, and of no other domain. */
export function sysOperations({
  history,
  ...server
}: ServerParts & { readonly history: VersionHistory }): readonly Operation[] {
  return [...serverOperations(server), ...toolsOperations(), ...absentOperations(), versionHistoryOperation(history)];
}
