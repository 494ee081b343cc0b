import { type Made, makeBackup, prepareDatabases } from '../../composition/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { readConfigFile } from '../process/config-file.ts';
import { requireDatabases } from '../process/existing-databases.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { terminationSignal } from '../process/signals.ts';
import { withDatabases } from '../process/without-server.ts';
import { absoluteLocation, type BackupOptions, megabytes, printJson, withOperatorErrors } from './places.ts';

/** Named one by one, at most. */
const NAMED = 10;

export async function create(destination: string | undefined, options: BackupOptions): Promise<void> {
  const config = readConfigFile(options);
  requireDatabases(config.storage, options.config);
  const keyring = await openKeyringOf(config);
  const stopping = new AbortController();
  const { signal } = stopping;
  void terminationSignal().then((name) => stopping.abort(new CommandError(`${name}: nothing is left of the backup`)));
  const made = await withDatabases(config, async (databases) => {
    await prepareDatabases(databases, keyring, 'as it is');
    const parts = { config, openKeyring: async () => keyring, database: databases.workspaces };
    const making = makeBackup(parts, { destination: absoluteLocation(destination), scheduled: false, signal });
    return withOperatorErrors('the backup was not made', making);
  });
  if (options.format === 'json') printJson(documentOf(made));
  else process.stdout.write(textOf(made));
  const { missing } = made;
  if (missing.length === 0) return;
  throw new CommandError(
    `the backup is whole, but ${missing.length} contents that rows name are in no store: ${missing.slice(0, NAMED).join(', ')}`,
  );
}

const documentOf = ({ removed: _, ...made }: Made) => made;

function textOf({ backup, bytes, rows, blobs, seconds }: Made): string {
  const speed = megabytes(bytes / Math.max(seconds, 0.001));
  return `${backup}\n${rows} rows, ${blobs} contents, ${megabytes(bytes)} in ${seconds.toFixed(1)} s (${speed}/s). The keyring is not in it.\n`;
}
