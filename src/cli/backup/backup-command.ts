import { type Command, Option } from 'commander';
import { withConfig } from '../process/config-file.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { restore } from './restore.ts';
import { verify } from './verify.ts';

/** Command `lockkeeper backup`: backs up a server into one encrypted file and restores it. */
export function addBackup(program: Command): void {
  const backup = program
    .command('backup')
    .description('Back up and restore databases and states, encrypted with the keyring');
  withFormat(backup.command('create'))
    .description('Create a backup; the server may be running')
    .argument('[destination]', 'a folder, a new file, or s3://bucket/prefix/ (default: backup.destination)')
    .action(create);
  withFormat(backup.command('verify'))
    .description('Read a whole backup and decrypt every value and blob in it')
    .argument('[backup]', 'a file, an s3:// URL, or a folder for its newest backup (default: backup.destination)')
    .action(verify);
  withFormat(backup.command('restore'))
    .description('Restore a backup into empty databases while no server runs')
    .argument('[backup]', 'a file, an s3:// URL, or a folder for its newest backup (default: backup.destination)')
    .option('--revoke-tokens', 'revoke all tokens and sessions in the backup, and create new first tokens', false)
    .action(restore);
  withFormat(backup.command('list'))
    .description('List backups, newest first')
    .argument('[place]', 'a folder or s3://bucket/prefix/ (default: backup.destination)')
    .action(list);
}

function withFormat(command: Command): Command {
  return withConfig(command).addOption(
    new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'),
  );
}
