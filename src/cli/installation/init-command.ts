import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { createKeyring } from '../../storage/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';
import { noteOnError, openKeyringOf } from '../process/keyring.ts';
import { withDomains } from '../process/without-server.ts';

interface InitOptions extends ConfigOptions {
  readonly username: string;
  readonly email: string;
}

/** Command `lockkeeper init`: creates the keyring and the databases, and prints the first tokens once. */
export function addInit(program: Command): void {
  withConfig(program.command('init'))
    .description('Create the keyring and databases of a new server, and print its first tokens')
    .option('--username <name>', 'name of the first user of the workspace API', 'admin')
    .option('--email <address>', 'email address of the first user', 'admin@localhost.localdomain')
    .action(init);
}

async function init(options: InitOptions): Promise<void> {
  const config = readConfigFile(options);
  const { file, wrap } = config.keyring;
  const keyring = existsSync(file) ? await openKeyringOf(config) : await createKeyring(config.keyring, noteOnError);
  await withDomains({ config, keyring, schema: 'migrate' }, async ({ access, workspaces }) => {
    const rootToken = await access.tokens.createFirstRoot();
    if (!rootToken) {
      throw new CommandError('this server is already initialized; its first tokens were shown once, at that time');
    }
    const user = await workspaces.tenancy.users.create({
      ...{ username: options.username, email: options.email },
      siteAdmin: true,
    });
    const userToken = await workspaces.tenancy.tokens.issue(user.id, {
      description: 'lockkeeper init',
      expiresAt: null,
    });
    process.stdout.write(
      [
        `keyring      ${file}${wrap ? `   (wrapped by ${wrap.by.type})` : ''}`,
        `root token   ${rootToken}   (access API, full access)`,
        `user token   ${userToken.text}   (workspace API: user ${options.username})`,
        'The tokens are shown only once. Store them safely. Also store a copy of the keyring, apart from the database.',
        '',
      ].join('\n'),
    );
  });
}
