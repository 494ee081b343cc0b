import { type Command, Option } from 'commander';
import { createClient } from '../client/client.ts';
import { type ConnectionOptions, setting, type Target, targetOf, withConnection } from '../connection/connection.ts';
import { readSource } from '../connection/pem-source.ts';
import { logIn } from '../credentials/certificate-login.ts';
import { DEFAULT_MOUNT } from '../credentials/host-settings.ts';
import { storeSession } from '../credentials/stored-session.ts';
import type { KeptToken } from '../credentials/token-cache.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';

interface LoginOptions extends ConnectionOptions, OutputOptions {
  readonly cert?: string;
  readonly key?: string;
  readonly role?: string;
  readonly mount?: string;
  readonly print?: true;
  readonly browser?: true;
}

/** Command `lockkeeper login`: gets a token for a person, by the browser, or for a machine, by its certificate. */
export function addLogin(program: Command): void {
  const command = program
    .command('login')
    .description('Log in in the browser, or with a client certificate, and store the token')
    .addOption(
      new Option('--browser', 'log in in the browser; the default in a terminal without a certificate').conflicts(
        'cert',
      ),
    )
    .option(
      '--cert <file>',
      'client certificate (PEM), followed by its intermediates (default: LOCKKEEPER_CERT or VAULT_CLIENT_CERT)',
    )
    .option(
      '--key <file>',
      'private key (PEM) of the certificate (default: LOCKKEEPER_KEY or VAULT_CLIENT_KEY, or the certificate file)',
    )
    .option('--role <name>', 'role to log in with (default: LOCKKEEPER_ROLE, or any role that accepts the certificate)')
    .option(
      '--mount <path>',
      `mount path of the certificate auth method (default: LOCKKEEPER_MOUNT, or ${DEFAULT_MOUNT})`,
    )
    .addOption(new Option('--store', 'store the token for later commands (default)').conflicts('print'))
    .option('--print', 'print the token without storing it: export VAULT_TOKEN=$(lockkeeper login --print)');
  withOutput(withConnection(command)).action(login);
}

async function login(options: LoginOptions): Promise<void> {
  const certFile = options.browser ? undefined : (options.cert ?? setting('LOCKKEEPER_CERT', 'VAULT_CLIENT_CERT'));
  if (certFile === undefined) return personLogin(options);
  const target = targetOf(options);
  const { answer, auth, kept } = await logIn({
    ...target,
    cert: readSource(certFile, 'the certificate'),
    key: readSource(options.key ?? setting('LOCKKEEPER_KEY', 'VAULT_CLIENT_KEY') ?? certFile, 'the private key'),
    role: options.role ?? setting('LOCKKEEPER_ROLE') ?? '',
    mount: options.mount ?? setting('LOCKKEEPER_MOUNT') ?? DEFAULT_MOUNT,
  });
  if (!keep(target, kept, options)) return;
  // The token itself is printed only with --field client_token or --format json.
  const { policies, metadata, accessor } = auth;
  const brief = { accessor, expires: new Date(kept.expiresAt).toISOString(), policies, metadata };
  await print({ whole: answer, brief: options.field === undefined ? brief : { ...auth, ...brief } }, options);
}

/** @throws CommandError in a script without a certificate, which could not use a browser */
async function personLogin(options: LoginOptions): Promise<void> {
  if (!options.browser && !process.stdin.isTTY) {
    throw usageError('There is no terminal, so login needs --cert, or --browser to print an address');
  }
  const target = targetOf(options);
  const { logInByBrowser } = await import('./browser-login.ts');
  const kept = await logInByBrowser(target);
  if (!keep(target, kept, options)) return;
  const { body } = await createClient({ ...target, token: kept.token })('GET', '/api/v2/account/details');
  const { attributes = {} } =
    (body as { readonly data?: { readonly attributes?: Record<string, unknown> } }).data ?? {};
  const brief = { username: attributes.username, expires: new Date(kept.expiresAt).toISOString() };
  await print({ whole: body, brief }, options);
}

/**
 * Prints or stores a token, and returns whether it was stored.
 * @throws CommandError if there is no private folder for it
 */
function keep({ address }: Target, kept: KeptToken, { print: isPrinted }: LoginOptions): boolean {
  if (isPrinted) {
    process.stdout.write(`${kept.token}\n`);
    return false;
  }
  if (storeSession(address, kept)) return true;
  throw new CommandError(
    'the token cannot be stored, because there is no private folder for it; set LOCKKEEPER_RUNTIME_DIR or use --print',
  );
}
