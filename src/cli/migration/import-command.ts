import type { Command } from 'commander';
import { addImportFolder } from './import-folder.ts';
import { addImportHcp } from './import-hcp.ts';
import { addImportStates } from './import-states.ts';
import { addImportVault } from './import-vault.ts';

/** Command `lockkeeper import`: moves organizations, states and access configuration to this server. */
export function addImport(program: Command): void {
  const command = program
    .command('import')
    .description(
      'Move organizations, states and access configuration to this server; plans only, unless --apply is given',
    );
  addImportHcp(command);
  addImportStates(command);
  addImportVault(command);
  addImportFolder(command);
}
