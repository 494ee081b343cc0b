import { type Made, makeBackup, prepareDatabases } from '../../composition/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { readConfigFile } from '../process/config-file.ts';
import { requireDatabases } from '../process/existing-databases.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { terminationSignal } from '../process/signals.ts';
import { withDatabases } from '../process/without-server.ts';
import { absoluteLocation, type BackupOptions, megabytes, printJson, withOperatorErrors } from './places.ts';

/** Maximum number of missing blobs that the message names. */
const NAMED = 10;

export async function create(destination: string | undefined, options: BackupOptions): Promise<void> {
  const config = readConfigFile(options);
  requireDatabases(config.storage, options.config);
  const keyring = await openKeyringOf(config);
  const stopping = new AbortController();
  const { signal } = stopping;
  void terminationSignal().then((name) => stopping.abort(new CommandError(`${name}. The partial backup was removed`)));
  const made = await withDatabases(config, async (databases) => {
    await prepareDatabases(databases, keyring, 'as it is');
    const parts = { config, openKeyring: async () => keyring, database: databases.workspaces };
    const making = makeBackup(parts, { destination: absoluteLocation(destination), scheduled: false, signal });
    return withOperatorErrors('The backup failed', making);
  });
  if (options.format === 'json') printJson(documentOf(made));
  else process.stdout.write(textOf(made));
  const { missing } = made;
  if (missing.length === 0) return;
  throw new CommandError(
    `The backup is complete, but ${missing.length} blobs that rows refer to are missing from the store: ${missing.slice(0, NAMED).join(', ')}`,
  );
}

const documentOf = ({ removed: _, ...made }: Made) => made;

function textOf({ backup, bytes, rows, blobs, seconds }: Made): string {
  const speed = megabytes(bytes / Math.max(seconds, 0.001));
  return `${backup}\n${rows} rows, ${blobs} blobs, ${megabytes(bytes)} in ${seconds.toFixed(1)} s (${speed}/s). The backup does not contain the keyring.\n`;
}
