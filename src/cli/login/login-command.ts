import { type Command, Option } from 'commander';
import { type ConnectionOptions, setting, targetOf, withConnection } from '../connection/connection.ts';
import { readSource } from '../connection/pem-source.ts';
import { logIn } from '../credentials/certificate-login.ts';
import { DEFAULT_MOUNT } from '../credentials/host-settings.ts';
import { storeSession } from '../credentials/stored-session.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';

interface LoginOptions extends ConnectionOptions, OutputOptions {
  readonly cert?: string;
  readonly key?: string;
  readonly role?: string;
  readonly mount?: string;
  readonly print?: true;
}

/** `lockkeeper login`: a short-lived token for a certificate. */
export function addLogin(program: Command): void {
  const command = program
    .command('login')
    .description('log in with a certificate; what follows uses the token until it ends')
    .option('--cert <file>', 'PEM: the certificate, then its intermediates; else LOCKKEEPER_CERT or VAULT_CLIENT_CERT')
    .option('--key <file>', 'PEM: its private key; else LOCKKEEPER_KEY or VAULT_CLIENT_KEY, else in the same file')
    .option('--role <name>', 'the one to log in with; else LOCKKEEPER_ROLE, else any that admits the certificate')
    .option('--mount <path>', `where the method is; else LOCKKEEPER_MOUNT, else ${DEFAULT_MOUNT}`)
    .addOption(
      new Option('--store', 'keep the token for the commands that follow; this is the default').conflicts('print'),
    )
    .option('--print', 'print the token, and keep it nowhere: export VAULT_TOKEN=$(lockkeeper login --print)');
  withOutput(withConnection(command)).action(login);
}

async function login(options: LoginOptions): Promise<void> {
  const certFile = options.cert ?? setting('LOCKKEEPER_CERT', 'VAULT_CLIENT_CERT');
  if (certFile === undefined) throw usageError('which certificate? Name its file with --cert, or in LOCKKEEPER_CERT');
  const target = targetOf(options);
  const { answer, auth, kept } = await logIn({
    ...target,
    cert: readSource(certFile, 'the certificate'),
    key: readSource(options.key ?? setting('LOCKKEEPER_KEY', 'VAULT_CLIENT_KEY') ?? certFile, 'the private key'),
    role: options.role ?? setting('LOCKKEEPER_ROLE') ?? '',
    mount: options.mount ?? setting('LOCKKEEPER_MOUNT') ?? DEFAULT_MOUNT,
  });
  if (options.print) {
    process.stdout.write(`${kept.token}\n`);
    return;
  }
  if (!storeSession(target.address, kept)) {
    throw new CommandError(
      'there is no folder of your own to keep the token in: set LOCKKEEPER_RUNTIME_DIR, or use --print',
    );
  }
  // Whoever wants the token itself asks for it: --field client_token, or --format json.
  const { policies, metadata, accessor } = auth;
  const brief = { accessor, expires: new Date(kept.expiresAt).toISOString(), policies, metadata };
  await print({ whole: answer, brief: options.field === undefined ? brief : { ...auth, ...brief } }, options);
}
