import { type Command, Option } from 'commander';
import {
  breakingSteps,
  prepareDatabases,
  type SchemaStatus,
  schemaStatus,
  type TriedOn,
  tryMigrations,
} from '../../composition/index.ts';
import { lockForServer } from '../../storage/index.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';
import { requireDatabases } from '../process/existing-databases.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { withDatabases } from '../process/without-server.ts';

interface MigrateOptions extends ConfigOptions {
  readonly check: boolean;
  readonly format: 'text' | 'json';
}

/** Command `lockkeeper migrate`: migrates the database schema without starting a server. */
export function addMigrate(program: Command): void {
  withConfig(program.command('migrate'))
    .description('Migrate the databases to this version; a starting server does this itself')
    .option(
      '--check',
      'show pending migrations and test them on a copy or on empty tables; the databases do not change',
      false,
    )
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .action(migrate);
}

async function migrate(options: MigrateOptions): Promise<void> {
  const config = readConfigFile(options);
  const { storage } = config;
  requireDatabases(storage, options.config);
  const keyring = await openKeyringOf(config);
  // Takes the folder's lock, because a running server of an older version does not expect a migration.
  const lock = storage.type === 'sqlite' && !options.check ? lockForServer(storage.directory) : undefined;
  try {
    await withDatabases(config, async (databases) => {
      const sets = (await schemaStatus(databases)).map(setOf);
      const isPending = sets.some(({ pending }) => pending.length > 0);
      const tried_on = options.check && isPending ? await tryMigrations(storage, databases) : null;
      if (!options.check) await prepareDatabases(databases, keyring);
      const report = { applied: !options.check, tried_on, sets };
      process.stdout.write(options.format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
    });
  } finally {
    lock?.release();
  }
}

interface Report {
  readonly applied: boolean;
  readonly tried_on: TriedOn | null;
  readonly sets: readonly SetReport[];
}

type SetReport = ReturnType<typeof setOf>;

function setOf(standing: SchemaStatus) {
  const { set, last, pending, ahead } = standing;
  const breaking = breakingSteps(standing);
  return {
    set,
    last: last ?? null,
    pending: pending.map(({ name }) => ({ migration: name, beside_older: !breaking.includes(`${set} ${name}`) })),
    ahead,
  };
}

function textOf({ applied, tried_on, sets }: Report): string {
  const pending = sets.flatMap((set) => set.pending);
  const ahead = sets.flatMap((set) => set.ahead.map((name) => `${set.set} ${name}`));
  const steps = sets.flatMap((set) => [
    `${set.set} ${set.last ?? 'nothing yet'}`,
    ...set.pending.map(
      ({ migration, beside_older }) =>
        `  ${applied ? 'applied' : 'pending'} ${migration}${beside_older ? '' : '   (incompatible with earlier versions)'}`,
    ),
  ]);
  return `${[...new Set(steps), '', summary(pending, applied), ...(tried_on ? [TRIED[tried_on]] : []), ...aheadLines(ahead)].join('\n')}\n`;
}

const TRIED: Readonly<Record<TriedOn, string>> = {
  'a copy': 'They succeeded on a temporary copy of the databases.',
  'empty tables':
    'They succeeded on empty tables with the same schema. To test them with your data, restore a backup elsewhere and migrate it.',
};

function summary(pending: SetReport['pending'], applied: boolean): string {
  if (pending.length === 0) return 'The database is up to date.';
  if (applied) return 'The database has been migrated.';
  return pending.every(({ beside_older }) => beside_older)
    ? 'Nodes of the previous version can run beside this one. Replace them one by one.'
    : 'Stop all nodes of the previous version before you start this one. To go back you need a backup.';
}

function aheadLines(ahead: readonly string[]): string[] {
  if (ahead.length === 0) return [];
  return [`A newer version has applied ${ahead.join(', ')}; this version is compatible with it.`];
}
