import type { Operation } from '../operation/operation.ts';
import { type ServerParts, serverOperations } from './server-operations.ts';
import { absentOperations } from './stub-operations.ts';
import { toolsOperations } from './tools-operations.ts';
import { type VersionHistory, versionHistoryOperation } from './version-history.ts';

/** Operations below `sys` on the server itself. Other modules have further ones. */
export function sysOperations({
  history,
  ...server
}: ServerParts & { readonly history: VersionHistory }): readonly Operation[] {
  return [...serverOperations(server), ...toolsOperations(), ...absentOperations(), versionHistoryOperation(history)];
}
