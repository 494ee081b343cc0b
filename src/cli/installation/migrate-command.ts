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

/** `lockkeeper migrate`: the tables of the databases as this version needs them, without starting a server. */
export function addMigrate(program: Command): void {
  withConfig(program.command('migrate'))
    .description('bring the databases up to date with this version; a server that starts does so by itself')
    .option(
      '--check',
      'say what would be done and try it, on a copy or on empty tables; the databases stay as they are',
      false,
    )
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'))
    .action(migrate);
}

async function migrate(options: MigrateOptions): Promise<void> {
  const config = readConfigFile(options);
  const { storage } = config;
  requireDatabases(storage, options.config);
  const keyring = await openKeyringOf(config);
  // A server of an older version that works in the folder does not expect this.
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
        `  ${applied ? 'applied' : 'pending'} ${migration}${beside_older ? '' : '   (versions before cannot work with it)'}`,
    ),
  ]);
  return `${[...new Set(steps), '', summary(pending, applied), ...(tried_on ? [TRIED[tried_on]] : []), ...aheadLines(ahead)].join('\n')}\n`;
}

const TRIED: Readonly<Record<TriedOn, string>> = {
  'a copy': 'They were tried on a copy of the databases, which is gone again.',
  'empty tables':
    'They were tried on empty tables like those of the database. To try them with its rows, restore a backup elsewhere and migrate that.',
};

function summary(pending: SetReport['pending'], applied: boolean): string {
  if (pending.length === 0) return 'The database is up to date.';
  if (applied) return 'The database is up to date now.';
  return pending.every(({ beside_older }) => beside_older)
    ? 'Nodes of the version before go on working beside this one: replace one after the other.'
    : 'Stop all nodes of the version before, then start this one: no way leads back but a backup.';
}

function aheadLines(ahead: readonly string[]): string[] {
  if (ahead.length === 0) return [];
  return [`A newer version has applied ${ahead.join(', ')}; this one can work beside it.`];
}
