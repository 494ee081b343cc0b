import { backupAt, type Verified, verifyBackup } from '../../backup/index.ts';
import { placeOf, sealedColumns } from '../../composition/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { readConfigFile } from '../process/config-file.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { absoluteLocation, type BackupOptions, printJson, withOperatorErrors } from './places.ts';

/** Verification needs only the keyring, no database, so it also works on another machine. */
export async function verify(said: string | undefined, options: BackupOptions): Promise<void> {
  const config = readConfigFile(options);
  const keyring = await openKeyringOf(config);
  const location = await placeOf(config, absoluteLocation(said));
  const { place } = location;
  try {
    const name = await backupAt(location, keyring);
    const failures: string[] = [];
    const report = (failure: string) => {
      if (options.format === 'json') failures.push(failure);
      else process.stdout.write(`${failure}\n`);
    };
    const verifying = verifyBackup(await place.read(name), { keyring, ...sealedColumns, report });
    const verified = await withOperatorErrors(name, verifying);
    if (options.format === 'json') printJson({ backup: name, ...verified, failures });
    if (verified.failed > 0) throw new CommandError(`${name}: ${verified.failed} values or blobs cannot be decrypted`);
    if (options.format === 'text') process.stdout.write(textOf(name, verified));
  } finally {
    place.close();
  }
}

function textOf(name: string, { header, rows, sealed, blobs }: Verified): string {
  return `${name}, made ${header.created_at} by version ${header.version}\n${rows} rows, ${sealed} encrypted values and ${blobs} blobs, all of which can be decrypted.\n`;
}
