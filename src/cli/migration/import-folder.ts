import type { Command } from 'commander';
import { importOrganization, type OrganizationImportOptions, withOrganizationImport } from './organization-options.ts';

/** Command `lockkeeper import folder`: the counterpart of `lockkeeper export organization`. */
export function addImportFolder(command: Command): void {
  const folder = command
    .command('folder')
    .description('Take an organization from the files of `lockkeeper export organization`')
    .argument('<folder>', 'folder of the export');
  withOrganizationImport(folder).action(importFolder);
}

async function importFolder(folder: string, options: OrganizationImportOptions): Promise<void> {
  await importOrganization(options, (migration) => migration.organizationFolder(folder));
}
