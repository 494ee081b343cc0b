import { type SealedColumn, sealedBlobKeys } from '../storage/index.ts';
import { sealedNotifications } from './notification/sealing.ts';
import { sealedLogs } from './run/phases.ts';
import { sealedRunVariables } from './run/start.ts';
import { sealedSshKeys } from './ssh-key/ssh-keys.ts';
import { sealedOutputs } from './state/given.ts';
import { sealedVariables } from './variable/keeper.ts';
import { sealedConnections } from './vcs-connection/clients.ts';

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
