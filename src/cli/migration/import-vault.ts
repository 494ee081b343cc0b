import type { Command } from 'commander';
import type { AccessSource } from '../../migration/index.ts';
import {
  type ImportOptions,
  migrating,
  onProgress,
  printReport,
  type SourceOptions,
  sourceAddressOf,
  sourceOf,
  targetOf,
  withImport,
  withSource,
} from './migrating.ts';

interface VaultOptions extends ImportOptions, SourceOptions {
  readonly sourceNamespace?: string;
}

/** Commands `lockkeeper import vault` and `lockkeeper import access-folder`. */
export function addImportVault(command: Command): void {
  const vault = command
    .command('vault')
    .description(
      'Take auth methods, certificate and JWT roles, policies, entities and groups of Vault or OpenBao; its token is in LOCKKEEPER_SOURCE_TOKEN',
    )
    .option('--source-namespace <path>', 'namespace of Vault Enterprise or OpenBao');
  withImport(withSource(vault)).action(importVault);
  const folder = command
    .command('access-folder')
    .description('Take the files of `lockkeeper export access`')
    .argument('<folder>', 'folder of the export');
  withImport(folder).action((path: string, options: ImportOptions) =>
    importAccess(options, (migration) => migration.accessFolder(path)),
  );
}

async function importVault(options: VaultOptions): Promise<void> {
  const { sourceNamespace: namespace } = options;
  await importAccess(options, (migration) => {
    const headers = namespace === undefined ? {} : { 'x-vault-namespace': namespace };
    return migration.accessSource(sourceOf(migration, sourceAddressOf(options), options, [], headers));
  });
}

async function importAccess(
  options: ImportOptions,
  open: (migration: typeof import('../../migration/index.ts')) => Promise<AccessSource>,
): Promise<void> {
  await migrating(async (migration) => {
    const target = targetOf(migration, options, 'access');
    const source = await open(migration);
    const report = await migration.migrateAccess(source, target, { isApplied: options.apply === true, onProgress });
    await printReport(migration, report, migration.accessRules, options);
  });
}
