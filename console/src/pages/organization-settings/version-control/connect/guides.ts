import { type Provider, type ServiceProvider, trimmed } from './providers.ts';

/** Instructions for the pages of a provider. Names in `**` are those of its buttons and fields. */
export interface Guide {
  /** Page of the provider on which the steps begin. */
  readonly page: string;
  readonly steps: readonly string[];
  /** Scopes or permissions as the provider names them, to copy or to choose. */
  readonly scopes: readonly string[];
  /** Other possibilities, one sentence each. */
  readonly notes: readonly string[];
}

/** Names of the two values that a provider shows for an OAuth application. */
export interface OAuthGuide extends Guide {
  readonly key: string;
  readonly secret: string;
}

type Family = 'github' | 'gitlab' | 'gitea' | 'bitbucket-cloud' | 'bitbucket-server' | 'azure' | 'git';

const FAMILIES: Readonly<Record<ServiceProvider, Family>> = {
  github: 'github',
  github_enterprise: 'github',
  gitlab_hosted: 'gitlab',
  gitlab_community_edition: 'gitlab',
  gitlab_enterprise_edition: 'gitlab',
  gitea: 'gitea',
  forgejo: 'gitea',
  bitbucket_hosted: 'bitbucket-cloud',
  bitbucket_server: 'bitbucket-server',
  bitbucket_data_center: 'bitbucket-server',
  ado_services: 'azure',
  ado_server: 'azure',
  git: 'git',
};

const POLLS = 'Without the right to manage webhooks the server still works: it looks at the repositories every minute.';

const TOKENS: Readonly<Record<Family, (http: string) => Guide>> = {
  github: (http) => ({
    page: `${http}/settings/tokens/new?description=Lockkeeper&scopes=repo`,
    steps: [
      'Open **Settings**, **Developer settings**, **Personal access tokens**, **Tokens (classic)**.',
      'Choose **Generate new token**, an expiration date, and the scope below.',
      'Choose **Generate token** and copy the token.',
    ],
    scopes: ['repo'],
    notes: [
      'A fine-grained token works too. Repository permissions: Contents and Metadata read; Commit statuses, Pull requests and Webhooks read and write.',
      POLLS,
    ],
  }),
  gitlab: (http) => ({
    page: `${http}/-/user_settings/personal_access_tokens?name=Lockkeeper&scopes=api`,
    steps: [
      'Open **Preferences**, **Access tokens**, and choose **Add new token**.',
      'Enter a name and an expiration date, and select the scope below.',
      'Choose **Create token** and copy the token.',
    ],
    scopes: ['api'],
    notes: [
      'Better: an access token of a group or project, with the role Maintainer. It reads only that group or project.',
      'The scopes read_api and read_repository are enough without statuses, comments and webhooks.',
      POLLS,
    ],
  }),
  gitea: (http) => ({
    page: `${http}/user/settings/applications`,
    steps: [
      'Open **Settings**, **Applications**, and go to **Generate New Token**.',
      'Enter a name, and give access to the repositories that workspaces follow.',
      'Select the permissions below, choose **Generate Token** and copy the token.',
    ],
    scopes: ['write:repository', 'write:issue', 'read:user'],
    notes: ['Webhooks require an account that administers the repository.', POLLS],
  }),
  'bitbucket-cloud': () => ({
    page: 'https://bitbucket.org/account/workspaces/',
    steps: [
      'Open the settings of a repository, a project or the workspace, and choose **Access tokens**.',
      'Choose **Create access token**, and select the permissions below.',
      'Choose **Create** and copy the token.',
    ],
    scopes: ['Repositories: Read, Admin', 'Pull requests: Write', 'Webhooks: Read and write'],
    notes: [
      'An API token of an account works too. Enter it after the email address of the account: EMAIL:TOKEN.',
      POLLS,
    ],
  }),
  'bitbucket-server': (http) => ({
    page: `${http}/plugins/servlet/access-tokens/manage`,
    steps: [
      'Open your profile picture, **Manage account**, **HTTP access tokens**, and choose **Create token**.',
      'Enter a name and an expiry date, and select the permissions below.',
      'Choose **Create** and copy the token.',
    ],
    scopes: ['Repository permissions: Repository admin'],
    notes: ['Repository write is enough without webhooks.', POLLS],
  }),
  azure: (http) => ({
    page: `${http}/_usersSettings/tokens`,
    steps: [
      'Open **User settings**, **Personal access tokens**, and choose **New Token**.',
      'Choose an organization and an expiration date, and **Custom defined** scopes.',
      'Select the scopes below, choose **Create** and copy the token.',
    ],
    scopes: ['Code: Read', 'Code: Status', 'Pull Request Threads: Read & write'],
    notes: [
      'A token for one organization requires the API URL of that organization, such as https://dev.azure.com/ORGANIZATION.',
      'Service hooks require a project collection administrator.',
      POLLS,
    ],
  }),
  git: (http) => ({
    page: http,
    steps: [
      'Create a password or token that may read the repositories. This server never pushes.',
      'Enter it below, as USER:PASSWORD, or alone if the server ignores the user name.',
    ],
    scopes: [],
    notes: [
      'Leave the field empty for public repositories.',
      'There are no webhooks, pull requests and commit statuses over Git alone. The server looks at the repositories every minute.',
    ],
  }),
};

const OAUTH: Readonly<Record<Exclude<Family, 'git'>, (http: string) => OAuthGuide>> = {
  github: (http) => ({
    page: `${http}/settings/applications/new`,
    steps: [
      'Open **Settings**, **Developer settings**, **OAuth Apps**, and choose **New OAuth app**.',
      'Enter the name and the URL of this server, and the callback URL below as **Authorization callback URL**.',
      'Choose **Register application**, then **Generate a new client secret**, and copy both values.',
    ],
    scopes: ['repo'],
    notes: ['The sign-in asks for the scope. You do not enter it at GitHub.'],
    ...{ key: 'Client ID', secret: 'Client secret' },
  }),
  gitlab: (http) => ({
    page: `${http}/-/user_settings/applications`,
    steps: [
      'Open **Preferences**, **Applications**, and choose **Add new application**.',
      'Enter a name, and the callback URL below as **Redirect URI**. Keep **Confidential** selected.',
      'Select the scope below, choose **Save application**, and copy both values.',
    ],
    scopes: ['api'],
    notes: ['The application can also belong to a group, or to the whole server (Admin area).'],
    ...{ key: 'Application ID', secret: 'Secret' },
  }),
  gitea: (http) => ({
    page: `${http}/user/settings/applications`,
    steps: [
      'Open **Settings**, **Applications**, and go to **Manage OAuth2 Applications**.',
      'Enter a name, and the callback URL below as **Redirect URI**. Keep **Confidential Client** selected.',
      'Choose **Create Application**, and copy both values.',
    ],
    scopes: [],
    notes: ['Applications of Gitea and Forgejo have no scopes. The token can do what the account can do.'],
    ...{ key: 'Client ID', secret: 'Client secret' },
  }),
  'bitbucket-cloud': () => ({
    page: 'https://bitbucket.org/account/workspaces/',
    steps: [
      'Open the settings of the workspace, **OAuth consumers**, and choose **Add consumer**.',
      'Enter a name and the callback URL below, and select **This is a private consumer**.',
      'Select the permissions below, choose **Save**, open the consumer and copy both values.',
    ],
    scopes: ['Account: Read', 'Repositories: Admin', 'Pull requests: Write', 'Webhooks: Read and write'],
    notes: [],
    ...{ key: 'Key', secret: 'Secret' },
  }),
  'bitbucket-server': (http) => ({
    page: `${http}/plugins/servlet/applinks/listApplicationLinks`,
    steps: [
      'An administrator opens **Administration**, **Application links**, and chooses **Create link**.',
      'Choose **External application** and **Incoming**, and enter a name and the callback URL below as **Redirect URL**.',
      'Select the permission below, choose **Save**, and copy both values.',
    ],
    scopes: ['Repositories: Admin'],
    notes: ['This requires version 7.20 or later. Use an access token for an older one.'],
    ...{ key: 'Client ID', secret: 'Client secret' },
  }),
  azure: () => ({
    page: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
    steps: [
      'Open **App registrations** in Microsoft Entra, and choose **New registration**.',
      'Choose the platform **Web**, and the callback URL below as **Redirect URI**.',
      'Under **API permissions**, add the delegated permissions of Azure DevOps below.',
      'Under **Certificates & secrets**, choose **New client secret**, and copy its value and the application ID.',
    ],
    scopes: ['vso.code_write', 'vso.code_status'],
    notes: [],
    ...{ key: 'Application (client) ID', secret: 'Client secret' },
  }),
};

/** Returns how to create an access token. */
export const tokenGuide = ({ id }: Pick<Provider, 'id'>, http: string): Guide => TOKENS[FAMILIES[id]](trimmed(http));

/** Returns how to register an OAuth application; undefined for a provider without one. */
export function oauthGuide({ id }: Pick<Provider, 'id'>, http: string): OAuthGuide | undefined {
  const family = FAMILIES[id];
  return family === 'git' || id === 'ado_server' ? undefined : OAUTH[family](trimmed(http));
}
