import { type SealedColumn, sealedBlobKeys } from '../storage/index.ts';
import { sealedNotifications } from './execution/notification/sealing.ts';
import { sealedLogs } from './execution/run/phases.ts';
import { sealedRunVariables } from './execution/run/start.ts';
import { sealedOutputs } from './state/version/given.ts';
import { sealedVariables } from './variables/variable/keeper.ts';
import { sealedConnections } from './vcs/connection/clients.ts';
import { sealedSshKeys } from './workspace/ssh-key/ssh-keys.ts';

/** All that the keyring has sealed in the database of the workspaces. */
export const workspacesSealedColumns: readonly SealedColumn[] = [
  sealedBlobKeys,
  sealedLogs,
  sealedOutputs,
  sealedRunVariables,
  sealedSshKeys,
  sealedVariables,
  ...sealedConnections,
  ...sealedNotifications,
];
