import type { Transaction } from '../../../storage/index.ts';

/** VCS providers: names of the API, and display names. */
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
  gitea: 'Gitea',
  forgejo: 'Forgejo',
  git: 'Git over HTTPS',
} as const;

/** One of SERVICE_PROVIDERS: the kind of a VCS provider. */
export type ServiceProvider = keyof typeof SERVICE_PROVIDERS;

/**
 * Health of a connection. unverified: never checked. ok: the provider accepted the credential at the last check.
 * refused: it did not. unreachable: there was no usable response.
 */
export type ConnectionStatus = 'unverified' | 'ok' | 'refused' | 'unreachable';

/**
 * A connection by which workspaces follow repositories: a token of an OAuth client (`ot-…`), or an installation of a
 * GitHub App (`ghain-…`).
 */
export interface Connection {
  readonly id: string;
  readonly organizationId: string;
  readonly serviceProvider: ServiceProvider;
  readonly httpUrl: string;
  readonly apiUrl: string;
  readonly name: string | null;
  /** An unverified connection is not used unless a user asks for it. */
  readonly status: ConnectionStatus;
  readonly agentPoolId: string | null;
  /** Patterns of the identifiers that workspaces may follow; empty: all. */
  readonly allowedRepositories: readonly string[];
}

/** Returns whether the id is that of an installation of a GitHub App. */
export const isInstallation = (id: string): boolean => id.startsWith('ghain-');

/** The part of a connection that its HTTP client needs. */
export type HttpPlace = Pick<Connection, 'id' | 'apiUrl' | 'httpUrl' | 'serviceProvider' | 'agentPoolId'>;

/** A connection of an organization to a VCS provider. */
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
  /** Tenant of Microsoft Entra in which users of Azure DevOps sign in; null: any organization. */
  readonly entraTenantId: string | null;
  /** 1 if all workspaces of the organization may use it, 0 if only those of its projects may. */
  readonly organizationScoped: number;
  readonly agentPoolId: string | null;
  readonly allowedRepositories: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Health of a token at its last check. Times are milliseconds since 1970. */
export interface TokenHealth {
  readonly status: ConnectionStatus;
  readonly reason: string | null;
  readonly since: number | null;
  readonly checkedAt: number | null;
  readonly scopes: readonly string[];
}

/** A connection with its tokens and projects. */
export interface OAuthClientView extends OAuthClient {
  /** Health of its token. A connection without a token is unverified. */
  readonly health: TokenHealth;
  readonly tokenIds: readonly string[];
  /** Number of workspaces that follow a repository by it. */
  readonly workspaces: number;
  readonly projectIds: readonly string[];
}

/** Write-only secrets; each may be absent. */
export interface ClientSecrets {
  readonly secret?: string | undefined;
  readonly privateKey?: string | undefined;
}

/** Attributes from a client; absent ones stay. */
export interface OAuthClientInput extends ClientSecrets {
  readonly name?: string | null | undefined;
  readonly key?: string | undefined;
  readonly rsaPublicKey?: string | undefined;
  readonly entraTenantId?: string | null | undefined;
  readonly oauthToken?: string | undefined;
  readonly organizationScoped?: boolean | undefined;
  readonly agentPoolId?: string | null | undefined;
  readonly httpUrl?: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly allowedRepositories?: readonly string[] | undefined;
}

/** Attributes of a new connection. */
export interface NewOAuthClientInput extends OAuthClientInput {
  readonly serviceProvider: ServiceProvider;
  readonly httpUrl: string;
  readonly apiUrl: string;
  readonly projectIds: readonly string[];
  /** The credential comes later: the callback URL, which the provider needs first, follows from the id of the connection. */
  readonly isCredentialLater?: boolean | undefined;
}

/** Token by which workspaces refer to a connection. */
export interface OAuthToken {
  readonly id: string;
  readonly oauthClientId: string;
  readonly organizationId: string;
  /** 1 if it has an SSH key for cloning submodules. */
  readonly hasSshKey: number;
  /** Account at the provider; null if the provider has not said so yet. */
  readonly account: string | null;
  /** Milliseconds since 1970; null if the token does not expire, or the server does not know. */
  readonly expiresAt: number | null;
  readonly health: TokenHealth;
  readonly createdAt: number;
}

/** Webhooks that the server has made by a connection. */
export interface WebhookRemovals {
  /** Notes the webhooks of a connection, or of one of its tokens, in the transaction that deletes it. */
  add(tx: Transaction, id: string, now: number): Promise<void>;
}
