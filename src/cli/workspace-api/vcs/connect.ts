import { Argument, type Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { organizationOf, withOrganization } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import { type OutputOptions, withOutput } from '../../output/output.ts';
import { dataOf } from '../workspace-requests.ts';
import type { VcsOptions } from './connection-requests.ts';
import { check } from './connections.ts';
import { PROVIDER_NAMES, urlsOf } from './providers.ts';
import { readToken } from './token-source.ts';

interface ConnectOptions extends VcsOptions, OutputOptions {
  readonly url?: string;
  readonly apiUrl?: string;
  readonly name?: string;
  readonly tokenFile?: string;
  readonly withoutToken?: true;
  readonly allow?: readonly string[];
}

/** Command `lockkeeper vcs connect`. A token is no argument, because all users of a machine can see those. */
export function addConnect(vcs: Command): void {
  const command = vcs
    .command('connect')
    .description('Connect an organization to a VCS provider with an access token, and check the connection')
    .addArgument(new Argument('<provider>', 'provider').choices(PROVIDER_NAMES))
    .option('--url <url>', 'URL of the provider, for a server of your own')
    .option('--api-url <url>', 'URL of its API (default: the usual one of the provider)')
    .option('--name <name>', 'name of the connection')
    .option('--token-file <file>', 'file with the token, or - for standard input (default: asks in a terminal)')
    .option('--without-token', 'connect to a Git server with public repositories')
    .option('--allow <repositories...>', 'repositories that workspaces may use: acme/infra, acme/*, group/**');
  withOutput(withConnection(withOrganization(command))).action(connect);
}

async function connect(provider: string, options: ConnectOptions): Promise<void> {
  const { name, tokenFile, withoutToken, allow } = options;
  const urls = urlsOf(provider, options.url, options.apiUrl);
  if (urls === undefined) throw usageError(`The URL of the ${provider} server is missing. Set --url https://HOST`);
  const path = `/api/v2/organizations/${encodeURIComponent(organizationOf(options))}/oauth-clients`;
  const attributes = {
    ...{ 'service-provider': provider, 'http-url': urls.httpUrl, 'api-url': urls.apiUrl },
    ...(name !== undefined && { name }),
    ...(allow && { 'allowed-repositories': allow }),
    ...(!withoutToken && { 'oauth-token-string': await readToken(tokenFile) }),
  };
  const { body } = await ask(options, 'workspaces', 'POST', path, { data: { type: 'oauth-clients', attributes } });
  await check(dataOf(body).id, options);
}
