/** Where repositories are kept, under the names of the wire (facts §6.8), and as people know them. */
export const SERVICE_PROVIDERS = {
  github: 'GitHub',
  github_enterprise: 'GitHub Enterprise',
  gitlab_hosted: 'GitLab',
  gitlab_community_edition: 'GitLab Community Edition',
  gitlab_enterprise_edition: 'GitLab Enterprise Edition',
  bitbucket_hosted: 'Bitbucket Cloud',
  bitbucket_server: 'Bitbucket Server',
  bitbucket_data_center: 'Bitbucket Data Center',
  ado_server: 'Azure DevOps Server',
  ado_services: 'Azure DevOps Services',
} as const;

/** One of SERVICE_PROVIDERS. */
export type ServiceProvider = keyof typeof SERVICE_PROVIDERS;

/** A connection of an organization to a provider. It is stored, and the provider is never contacted. */
export interface OAuthClient {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string | null;
  readonly serviceProvider: ServiceProvider;
  readonly httpUrl: string;
  readonly apiUrl: string;
  readonly key: string | null;
  readonly rsaPublicKey: string | null;
  /** 1 when all workspaces of the organization may use it, 0 when those of its projects alone may. */
  readonly organizationScoped: number;
  readonly agentPoolId: string | null;
  readonly createdAt: number;
}

/** A connection and what it points at. */
export interface OAuthClientView extends OAuthClient {
  readonly tokenIds: readonly string[];
  readonly projectIds: readonly string[];
}

/** What goes in and never comes out of the API; each may be missing. */
export interface ClientSecrets {
  readonly secret?: string | undefined;
  readonly privateKey?: string | undefined;
}

/** What a client says of a connection; what is absent stays as it is. */
export interface OAuthClientInput extends ClientSecrets {
  readonly name?: string | null | undefined;
  readonly key?: string | undefined;
  readonly rsaPublicKey?: string | undefined;
  readonly oauthToken?: string | undefined;
  readonly organizationScoped?: boolean | undefined;
  readonly agentPoolId?: string | null | undefined;
}

/** What is said of a new one. */
export interface NewOAuthClientInput extends OAuthClientInput {
  readonly serviceProvider: ServiceProvider;
  readonly httpUrl: string;
  readonly apiUrl: string;
  readonly projectIds: readonly string[];
}

/** What workspaces name when they use a connection. */
export interface OAuthToken {
  readonly id: string;
  readonly oauthClientId: string;
  readonly organizationId: string;
  /** 1 when there is a key to clone submodules with. */
  readonly hasSshKey: number;
  readonly createdAt: number;
}
