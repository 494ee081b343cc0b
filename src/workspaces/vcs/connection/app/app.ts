import type { Transaction } from '../../../../storage/index.ts';
import type { TokenHealth } from '../connection.ts';

/** GitHub App of an organization. Its secrets are never shown. */
export interface OrganizationApp {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly httpUrl: string;
  readonly apiUrl: string;
  /** GitHub's number of the App. */
  readonly appId: string;
  readonly clientId: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: number;
}

/** Secrets of an App, stored encrypted. */
export interface AppSecrets {
  readonly clientSecret: string;
  /** Null if the App sends no deliveries. */
  readonly webhookSecret: string | null;
  /** PEM. */
  readonly privateKey: string;
}

/** Installation of an App that a user has linked to the organization. */
export interface LinkedInstallation {
  /** `ghain-…` */
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly githubAppId: string;
  /** GitHub's number of the installation. */
  readonly installationId: number;
  /** Account at GitHub. */
  readonly account: string;
  readonly accountType: string;
  readonly iconUrl: string;
  readonly installationUrl: string;
  /** Number of workspaces that follow a repository by it. */
  readonly workspaces: number;
  readonly health: TokenHealth;
}

/** GitHub account that a user has proved to have. */
export interface AppAccount {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly createdAt: number;
}

/** URL of a new webhook, and its last part. */
export interface AppWebhook {
  readonly key: string;
  readonly url: string;
}

/** Webhooks of Apps, which GitHub makes from the manifest. */
export interface AppWebhooks {
  /** Returns a new webhook; undefined if GitHub cannot reach this server. */
  newWebhook(): AppWebhook | undefined;
  /** Stores the webhook of an App with the secret that GitHub has chosen. */
  add(
    tx: Transaction,
    app: Pick<OrganizationApp, 'id' | 'organizationId'> & { readonly serviceProvider: string },
    webhook: { readonly key: string; readonly secret: string },
    now: number,
  ): Promise<void>;
}
