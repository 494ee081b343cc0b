import { pino } from 'pino';
import { backupAt } from '../../backup/index.ts';
import { placeOf, type RestoredInstallation, restoreInstallation } from '../../composition/index.ts';
import { readConfigFile } from '../process/config-file.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { absoluteLocation, type BackupOptions, printJson, withOperatorErrors } from './places.ts';

interface RestoreOptions extends BackupOptions {
  readonly revokeTokens: boolean;
}

export async function restore(said: string | undefined, options: RestoreOptions): Promise<void> {
  const config = readConfigFile(options);
  const keyring = await openKeyringOf(config);
  const logger = pino({ level: 'error' }, process.stderr);
  const location = await placeOf(config, absoluteLocation(said));
  const { place } = location;
  try {
    const name = await backupAt(location, keyring);
    const { revokeTokens } = options;
    const source = await place.read(name);
    const restored = await withOperatorErrors(
      name,
      restoreInstallation(source, { config, keyring, logger, revokeTokens }),
    );
    if (options.format === 'json') printJson({ backup: name, ...documentOf(restored) });
    else process.stdout.write(textOf(name, restored));
  } finally {
    place.close();
  }
}

function documentOf({ revoked, ...restored }: RestoredInstallation) {
  const { tokens, rootToken, user } = revoked ?? {};
  return { ...restored, ...(revoked && { revoked: { tokens, root_token: rootToken, user } }) };
}

function textOf(name: string, restored: RestoredInstallation): string {
  const { header, rows, blobs, present, missing, newer, runs, revoked } = restored;
  return [
    `${name}, made ${header.created_at} by version ${header.version}, is restored.`,
    `${rows} rows, ${blobs} blobs (${present} more were there already).`,
    ...(missing.length > 0
      ? [`${missing.length} blobs that rows refer to are missing; reading them fails: ${missing.join(', ')}`]
      : []),
    ...(newer > 0
      ? [
          `${newer} blobs in the store are newer than the backup, or left over. No row refers to them, and their keys are in rows that ` +
            'are lost. The server removes them.',
        ]
      : []),
    ...(runs > 0
      ? [
          `${runs} runs were not finished when the backup was made. Executed ones are errored, because their result is unknown; waiting ones are canceled.`,
        ]
      : []),
    ...(revoked
      ? [
          `${revoked.tokens} tokens are revoked. New first tokens, shown once:`,
          `root token   ${revoked.rootToken}   (access API, full access)`,
          revoked.user
            ? `user token   ${revoked.user.token}   (workspace API: user ${revoked.user.username})`
            : 'There is no site administrator. Create one with `lockkeeper user create --site-admin`.',
          'Batch tokens are not stored, so they stay valid until they expire.',
        ]
      : [
          'Tokens that were revoked after the backup are valid again. Restore with --revoke-tokens to revoke all tokens.',
        ]),
    '',
  ].join('\n');
}
