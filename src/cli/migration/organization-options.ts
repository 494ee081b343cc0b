import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { homeFolder } from '../../lib/home/home-folder.ts';
import type { MissingSecret, OrganizationSource, StateChoice } from '../../migration/index.ts';
import { organizationOf, withOrganization } from '../connection/organization.ts';
import { usageError } from '../errors/command-error.ts';
import {
  type ImportOptions,
  type Migration,
  migrating,
  onProgress,
  printReport,
  targetOf,
  withImport,
} from './migrating.ts';

/** Options of imports into an organization. */
export interface OrganizationImportOptions extends ImportOptions {
  readonly organization?: string;
  readonly secrets?: string;
  readonly repositories?: true;
  readonly automation?: true;
  readonly invite?: true;
}

const STATES: readonly StateChoice[] = ['newest', 'all', 'none'];

export const statesOption = (): Option =>
  new Option('--states <which>', 'state versions to take').choices(STATES).default('newest');

export function withOrganizationImport(command: Command): Command {
  return withImport(
    withOrganization(command)
      .option(
        '--secrets <file>',
        'JSON file with values of sensitive variables: {"workspaces": {"NAME": {"KEY": "VALUE"}}, "varsets": {…}}',
      )
      .option('--repositories', 'connect workspaces to their repositories; then pushes start runs here')
      .option(
        '--automation',
        'take auto-destroy times, and let schedules run; by default, new schedules are paused (use it after the switch)',
      )
      .option('--invite', 'invite the members, by their email addresses'),
  );
}

/** Moves a source into an organization, and prints the report. */
export async function importOrganization(
  options: OrganizationImportOptions,
  open: (migration: Migration) => Promise<OrganizationSource>,
): Promise<void> {
  const organization = organizationOf(options);
  const secrets = secretsOf(options.secrets);
  await migrating(async (migration) => {
    const connection = targetOf(migration, options, 'workspaces');
    const choices = { followsRepositories: options.repositories === true, invites: options.invite === true };
    const opened = await open(migration);
    const source = migration.chosen(options.automation ? opened : migration.withoutAutomation(opened), choices);
    const report = await migration
      .migrateOrganization(
        source,
        { connection, organization },
        {
          isApplied: options.apply === true,
          openJournal: (key) => journalOf(migration, key),
          secretValue: ({ ownerKind, owner, name }: MissingSecret) => secrets[ownerKind]?.[owner]?.[name],
          onProgress,
        },
      )
      .finally(() => source.close?.());
    await printReport(migration, report, migration.organizationRules, options);
  });
}

/**
 * Opens the journal of an import in the folder of the user's states. Imports work without it, for example in a container that
 * may write nothing.
 */
function journalOf({ openJournal }: Migration, key: readonly string[]) {
  const home = homeFolder();
  const states = process.env.XDG_STATE_HOME || (home && join(home, '.local/state'));
  if (states === undefined) return withoutJournal('this user has no home folder');
  const folder = join(states, 'lockkeeper/imports');
  try {
    return openJournal(folder, key);
  } catch (error) {
    return withoutJournal(`${folder} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

function withoutJournal(why: string): undefined {
  onProgress(`${why}: if this import is interrupted, unlock its workspaces before you run it again`);
}

type Secrets = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** @throws CommandError for a file of another form; the message contains none of its values */
function secretsOf(file: string | undefined): Secrets {
  if (file === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageError(`cannot read ${file}: ${code ?? 'it is not JSON'}`);
  }
  const owners = Object.values((value ?? {}) as object).flatMap((one) => Object.values((one ?? {}) as object));
  if (owners.some((one) => Object.values((one ?? {}) as object).some((text) => typeof text !== 'string'))) {
    throw usageError(
      `${file}: expected {"workspaces": {"NAME": {"KEY": "VALUE"}}, "varsets": {…}} with texts as values`,
    );
  }
  return value as Secrets;
}
