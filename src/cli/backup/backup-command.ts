import { type Command, Option } from 'commander';
import { withConfig } from '../process/config-file.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { restore } from './restore.ts';
import { verify } from './verify.ts';

/** `lockkeeper backup`: all that an installation keeps, in one sealed file, and back. */
export function addBackup(program: Command): void {
  const backup = program
    .command('backup')
    .description('backups of an installation: databases and states, sealed by the keyring');
  withFormat(backup.command('create'))
    .description('make a backup, beside a server that runs or without one')
    .argument('[destination]', 'a folder, a new file, or s3://bucket/prefix/; that of the configuration without it')
    .action(create);
  withFormat(backup.command('verify'))
    .description('read a backup to its end, and open each sealed value and each content in it')
    .argument(
      '[backup]',
      'a file, an s3:// address, or a place, for the newest in it; that of the configuration without it',
    )
    .action(verify);
  withFormat(backup.command('restore'))
    .description('bring a backup back, into databases that are empty, while no server runs')
    .argument(
      '[backup]',
      'a file, an s3:// address, or a place, for the newest in it; that of the configuration without it',
    )
    .option(
      '--revoke-tokens',
      'end all tokens and sessions that the backup brings back, and make new first tokens',
      false,
    )
    .action(restore);
  withFormat(backup.command('list'))
    .description('show the backups in a place, newest first')
    .argument('[place]', 'a folder, or s3://bucket/prefix/; that of the configuration without it')
    .action(list);
}

function withFormat(command: Command): Command {
  return withConfig(command).addOption(
    new Option('--format <format>', 'what to print').choices(['text', 'json']).default('text'),
  );
}
