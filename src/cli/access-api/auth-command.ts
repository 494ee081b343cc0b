import type { Command } from 'commander';
import { ask, type ConnectionOptions, withConnection } from '../connection/connection.ts';
import { readFields } from '../connection/request-body.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { requireConfirmation } from '../process/question.ts';
import { accessPath, shownEnvelope, showWarnings } from './access-path.ts';

type Options = ConnectionOptions & OutputOptions;

interface EnableOptions extends ConnectionOptions {
  readonly path?: string;
  readonly description?: string;
}

const PATH = ['<path>', 'path of the mount, such as cert'] as const;

/** Command `lockkeeper auth`: auth methods of the access API. */
export function addAuth(program: Command): void {
  const auth = program.command('auth').description('List, enable, disable and tune auth methods');
  withOutput(withConnection(auth.command('list')))
    .description('List the auth methods and their paths')
    .action(list);
  withConnection(auth.command('enable').argument('<type>', 'type of the auth method: cert or jwt'))
    .description('Enable an auth method')
    .option('--path <path>', 'path of the mount (default: the type)')
    .option('--description <text>', 'description for people')
    .action(enable);
  withConnection(auth.command('disable').argument(...PATH))
    .description('Disable an auth method; its tokens are revoked and its roles deleted')
    .option('--yes', 'do not ask')
    .action(disable);
  withOutput(withConnection(auth.command('tune').argument(...PATH)))
    .description('Show the tuning of an auth method, or change it')
    .argument('[fields...]', 'NAME=VALUE, such as max_lease_ttl=24h')
    .action(tune);
}

const mountPath = (path: string): string => `sys/auth/${path.replace(/^auth\//, '').replace(/\/+$/, '')}`;

interface Mount {
  readonly type: string;
  readonly accessor: string;
  readonly description: string;
}

async function list(options: Options): Promise<void> {
  const { body } = await ask(options, 'access', 'GET', accessPath('sys/auth'));
  const { data } = body as { readonly data: Readonly<Record<string, Mount>> };
  const rows = Object.entries(data).map(([path, { type, accessor, description }]) => ({
    ...{ path, type, accessor, description },
  }));
  await print({ whole: body, brief: rows }, options);
}

async function enable(type: string, { path = type, description, ...options }: EnableOptions): Promise<void> {
  const sent = { type, ...(description !== undefined && { description }) };
  const { body } = await ask(options, 'access', 'POST', accessPath(mountPath(path)), sent);
  showWarnings(body);
  process.stdout.write(`Enabled the auth method ${type} at ${mountPath(path).slice('sys/'.length)}/\n`);
}

async function disable(path: string, options: ConnectionOptions & { readonly yes?: true }): Promise<void> {
  await requireConfirmation(`Disable the auth method at ${path}, revoke its tokens and delete its roles?`, options.yes);
  await ask(options, 'access', 'DELETE', accessPath(mountPath(path)));
  process.stdout.write(`Disabled the auth method at ${path}\n`);
}

async function tune(path: string, fields: readonly string[], options: Options): Promise<void> {
  const tuning = accessPath(`${mountPath(path)}/tune`);
  if (fields.length > 0) {
    showWarnings((await ask(options, 'access', 'POST', tuning, readFields(fields))).body);
    process.stderr.write(`Changed the tuning of ${path}: ${fields.map((field) => field.split('=')[0]).join(', ')}\n`);
  }
  await print(shownEnvelope((await ask(options, 'access', 'GET', tuning)).body), options);
}
