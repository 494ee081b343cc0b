import type { Command } from 'commander';
import type { StateChoice } from '../../migration/index.ts';
import { type ConnectionOptions, withConnection } from '../connection/connection.ts';
import { organizationOf, withOrganization } from '../connection/organization.ts';
import { printable } from '../output/printable.ts';
import { migrating, onProgress, targetOf } from './migrating.ts';
import { statesOption } from './organization-options.ts';

interface ExportOptions extends ConnectionOptions {
  readonly organization?: string;
  readonly states: StateChoice;
  readonly workspaces?: string;
}

/** Command `lockkeeper export`: writes organizations and access configuration to files. */
export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('Write an organization or the access configuration to files, without tokens and sensitive variables');
  const organization = command
    .command('organization')
    .description(
      'Write an organization to YAML files, without tokens and sensitive variables; states are included: keep the folder secret. `lockkeeper import folder` takes them back',
    )
    .argument('<folder>', 'new folder')
    .addOption(statesOption())
    .option('--workspaces <pattern>', 'workspaces to write; * matches any characters');
  withConnection(withOrganization(organization)).action(exportOrganization);
  const access = command
    .command('access')
    .description(
      'Write auth methods, roles, policies, entities and groups to YAML files; `lockkeeper import access-folder` takes them back',
    )
    .argument('<folder>', 'new folder');
  withConnection(access).action(exportAccess);
}

async function exportAccess(folder: string, options: ConnectionOptions): Promise<void> {
  await migrating(async (migration) => {
    const source = await migration.accessSource(targetOf(migration, options, 'access'));
    const count = await migration.exportAccess(folder, source);
    for (const { about, why } of source.notes) onProgress(`! ${about}: ${why}`);
    process.stdout.write(`${printable(folder)}: ${count} items of the access API\n`);
  });
}

async function exportOrganization(folder: string, options: ExportOptions): Promise<void> {
  const organization = organizationOf(options);
  await migrating(async (migration) => {
    const connection = targetOf(migration, options, 'workspaces');
    const { states, workspaces } = options;
    const source = await migration.apiSource({ connection, organization, workspaces, states, locksSource: false });
    const written = await migration.exportOrganization(folder, source);
    for (const { about, why } of source.notes) onProgress(`! ${about}: ${why}`);
    process.stdout.write(
      `${printable(folder)}: ${written.items} items and ${written.states} state versions of ${printable(organization)}\n`,
    );
    const secretPart = written.states > 0 ? 'States are' : 'URLs of notifications are';
    onProgress(`${secretPart} included, which may contain secrets: keep the folder secret`);
  });
}
