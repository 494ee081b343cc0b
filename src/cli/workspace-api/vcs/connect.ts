import { Argument, type Command } from 'commander';
import { secretText } from '../../../lib/secret/secret-text.ts';
import { ask, withConnection } from '../../connection/connection.ts';
import { organizationOf, withOrganization } from '../../connection/organization.ts';
import { readSource } from '../../connection/pem-source.ts';
import { usageError } from '../../errors/command-error.ts';
import { type OutputOptions, withOutput } from '../../output/output.ts';
import { typedSecret } from '../../process/question.ts';
import { dataOf } from '../workspace-requests.ts';
import type { VcsOptions } from './connection-requests.ts';
import { check } from './connections.ts';

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

const WHAT = 'the token of the provider';

/** Reads a token from a file, from standard input for `-`, or from the terminal without showing it. @throws CommandError */
async function readToken(file: string | undefined): Promise<string> {
  const token = secretText(file === undefined ? await typed() : readSource(file, WHAT));
  if (token === '') throw usageError('The token is empty. Create one at the provider, and try again');
  return token;
}

async function typed(): Promise<string> {
  if (process.stdin.isTTY) return typedSecret('Token of the provider (not shown): ');
  throw usageError('The token is missing. Set --token-file to a file, or to - for standard input');
}

/** URLs of a provider. */
interface ProviderUrls {
  readonly httpUrl: string;
  readonly apiUrl: string;
}

interface Known {
  /** URL of the provider's own server. Undefined for servers that users run. */
  readonly httpUrl?: string;
  /** API URL of that server. */
  readonly apiUrl?: string;
  /** Path of the API on other servers. */
  readonly apiPath: string;
}

const GITLAB: Known = { apiPath: '/api/v4' };
const GITEA: Known = { apiPath: '/api/v1' };

const PROVIDERS: Readonly<Record<string, Known>> = {
  github: { httpUrl: 'https://github.com', apiUrl: 'https://api.github.com', apiPath: '' },
  github_enterprise: { apiPath: '/api/v3' },
  gitlab_hosted: { httpUrl: 'https://gitlab.com', ...GITLAB },
  gitlab_community_edition: GITLAB,
  gitlab_enterprise_edition: GITLAB,
  gitea: GITEA,
  forgejo: GITEA,
  bitbucket_hosted: { httpUrl: 'https://bitbucket.org', apiUrl: 'https://api.bitbucket.org/2.0', apiPath: '' },
  bitbucket_data_center: { apiPath: '' },
  ado_services: { httpUrl: 'https://dev.azure.com', apiPath: '' },
  ado_server: { apiPath: '' },
  git: { apiPath: '' },
};

const PROVIDER_NAMES = Object.keys(PROVIDERS);

/** Returns the URLs of a provider. Undefined without a URL for a provider that users run. */
function urlsOf(provider: string, url?: string, api?: string): ProviderUrls | undefined {
  const known = PROVIDERS[provider];
  const httpUrl = (url ?? known?.httpUrl)?.replace(/\/+$/, '');
  if (known === undefined || httpUrl === undefined) return undefined;
  const usual = httpUrl === known.httpUrl ? known.apiUrl : undefined;
  return { httpUrl, apiUrl: api ?? usual ?? `${httpUrl}${known.apiPath}` };
}
