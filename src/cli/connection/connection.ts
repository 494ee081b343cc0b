import { type Command, Option } from 'commander';
import { hostVariable } from '../../lib/engines/host-variable.ts';
import { secretText } from '../../lib/secret/secret-text.ts';
import { expectDone } from '../client/answer-error.ts';
import { type Answer, createClient } from '../client/client.ts';
import { rememberName, subjectOf } from '../client/subject.ts';
import { type FoundToken, wrongTokenHint } from '../client/wrong-token.ts';
import { storedSession } from '../credentials/stored-session.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { readSource } from './pem-source.ts';

/** API that a command uses. */
export type ApiName = 'access' | 'workspaces';

/** Options of all commands that connect to a server. */
export interface ConnectionOptions {
  readonly address?: string;
  readonly caCert?: string;
}

/** Connection settings from options and environment. */
export interface Target {
  readonly address: string;
  /** CA certificates (PEM) that verify the server. */
  readonly ca: string | undefined;
}

const DEFAULT_ADDRESS = 'https://127.0.0.1:8200';

export function withConnection(command: Command): Command {
  const inGroup = (option: Option): Option => option.helpGroup('Connection:');
  return command
    .addOption(
      inGroup(
        new Option(
          '--address <url>',
          `URL of the server (default: LOCKKEEPER_ADDR or VAULT_ADDR, or ${DEFAULT_ADDRESS})`,
        ),
      ),
    )
    .addOption(
      inGroup(
        new Option(
          '--ca-cert <file>',
          'CA certificates (PEM) that verify the server (default: LOCKKEEPER_CACERT or VAULT_CACERT)',
        ),
      ),
    );
}

/** @throws CommandError for a file that cannot be read */
export function targetOf({ address, caCert }: ConnectionOptions): Target {
  const caFile = caCert ?? setting('LOCKKEEPER_CACERT', 'VAULT_CACERT');
  return {
    address: address ?? setting('LOCKKEEPER_ADDR', 'VAULT_ADDR') ?? DEFAULT_ADDRESS,
    ca: caFile === undefined ? undefined : readSource(caFile, 'the CA certificate of the server'),
  };
}

/** Sends one request with the token of the environment or of the last login. @throws CommandError for an error response */
export async function ask(
  options: ConnectionOptions,
  api: ApiName,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const target = targetOf(options);
  const token = tokenOf(target.address, api);
  const answer = await createClient({ ...target, token: token.text })(method, path, body);
  const asked = { subject: subjectOf(path, body), reads: method === 'GET', wrongToken: wrongTokenHint(token, api) };
  const done = expectDone(answer, asked);
  rememberName(done.body);
  return done;
}

/** Returns the connection settings with the token of the environment or of the last login. @throws CommandError without a token */
export function authorizedTarget(options: ConnectionOptions, api: ApiName): Target & { readonly token: string } {
  const target = targetOf(options);
  return { ...target, token: tokenOf(target.address, api).text };
}

function tokenOf(address: string, api: ApiName): FoundToken {
  const fromHost = api === 'workspaces' ? hostVariable(address) : undefined;
  for (const source of ['LOCKKEEPER_TOKEN', ...(fromHost ? [fromHost] : []), 'VAULT_TOKEN']) {
    const text = setting(source);
    if (text !== undefined) return { text, source };
  }
  const text = storedSession(address);
  if (text !== undefined) return { text, source: 'the token of the last login' };
  throw new CommandError(
    `there is no token for ${address}: log in with \`lockkeeper login\`, or set LOCKKEEPER_TOKEN`,
    EXIT.refused,
  );
}

/** Returns the first of these environment variables that is not blank, trimmed. */
export function setting(...names: readonly string[]): string | undefined {
  return names.map((name) => secretText(process.env[name] ?? '')).find((value) => value !== '');
}
