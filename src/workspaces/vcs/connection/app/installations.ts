import type { Database, Transaction } from '../../../../storage/index.ts';
import { notFound, unprocessable } from '../../../jsonapi/errors.ts';
import type { Page, Slice } from '../../../jsonapi/pagination.ts';
import { type Actor, mayInOrganization, type Organizations, requireInOrganization } from '../../../tenancy/index.ts';
import type { Place } from '../../../workspace/index.ts';
import { type GitHubApps, TOKEN_PERMISSIONS } from '../../provider/github/app/app-client.ts';
import type { Credential, ProviderHttp } from '../../provider/port.ts';
import { ProviderError } from '../../provider/provider-error.ts';
import type { AccessOptions } from '../access.ts';
import { scheduleCheck, wakeFollowers } from '../health/health-store.ts';
import type { AppAccount, LinkedInstallation, OrganizationApp } from './app.ts';
import * as store from './app-store.ts';
import type { OrganizationApps } from './apps.ts';

const READING = ['can-update-oauth', 'can-create-workspace'] as const;
const UNLINKED =
  'The installation is not linked yet. A user who may manage VCS settings opens /auth/github-app?organization_id=NAME and signs in at GitHub';

export interface InstallationsOptions {
  readonly database: Database;
  readonly organizations: Organizations;
  readonly apps: OrganizationApps;
  readonly github: GitHubApps;
  readonly httpFor: (place: Pick<OrganizationApp, 'id' | 'apiUrl' | 'httpUrl'>) => ProviderHttp;
}

/** Installations of GitHub Apps by which workspaces follow repositories. */
export class Installations {
  readonly #options: InstallationsOptions;

  constructor(options: InstallationsOptions) {
    this.#options = options;
  }

  /** Lists the installations of all organizations in which the actor may choose connections. */
  list(actor: Actor, filter: store.InstallationFilter, page: Page): Promise<Slice<LinkedInstallation>> {
    const organizationIds = [...actor.grants.keys()].filter((id) => mayInOrganization(actor, id, ...READING));
    return store.listInstallations(this.#options.database, organizationIds, filter, page);
  }

  /**
   * Lists the installations of an organization.
   * @throws 404 without permission
   */
  async listOf(actor: Actor, organization: string, page: Page): Promise<Slice<LinkedInstallation>> {
    const { database, organizations } = this.#options;
    const { id } = await organizations.find(actor, organization, 'can-traverse');
    requireInOrganization(actor, id, ...READING);
    return await store.listInstallations(database, [id], {}, page);
  }

  /**
   * Finds an installation.
   * @param organization name of the organization that it must belong to; undefined: any
   * @throws 404 if it does not exist, or without permission
   */
  async find(actor: Actor, id: string, organization?: string): Promise<LinkedInstallation> {
    const found = await store.findInstallation(this.#options.database, id);
    if (found === undefined || (organization !== undefined && found.organizationName !== organization))
      throw notFound();
    requireInOrganization(actor, found.organizationId, ...READING);
    return found;
  }

  /**
   * Confirms that an installation is linked. Only a sign-in at GitHub can link one.
   * @throws 404 without permission, 422 if it is not linked
   */
  async confirmLinked(actor: Actor, organization: string, id: string): Promise<void> {
    const { database, organizations } = this.#options;
    const { id: organizationId } = await organizations.find(actor, organization, 'can-update-oauth');
    if (await store.findUsableInstallation(database, id, organizationId)) return;
    throw unprocessable([{ detail: UNLINKED }]);
  }

  /**
   * Deletes an installation here. It stays at GitHub.
   * @throws 404 if it does not exist, or without permission
   */
  async unlink(actor: Actor, organization: string, id: string): Promise<void> {
    const { organizationId } = await this.find(actor, id, organization);
    requireInOrganization(actor, organizationId, 'can-update-oauth');
    await this.#options.database.transaction((tx) => store.removeInstallation(tx, id));
  }

  /**
   * Lists the GitHub accounts of a user.
   * @throws 404 for another user, unless the actor is a site administrator
   */
  async accounts(actor: Actor, userId: string, page: Page): Promise<Slice<AppAccount>> {
    if (actor.kind !== 'user' || (actor.id !== userId && !actor.siteAdmin)) throw notFound();
    return await store.listAccounts(this.#options.database, userId, page);
  }

  /**
   * Lets the server check an installation at once, and look again for repositories that it did not reach, because GitHub
   * says that the installation has changed. One that is not linked is ignored.
   */
  async changed(tx: Transaction, githubAppId: string, installationId: number, now: number): Promise<void> {
    const id = await store.findInstallationOf(tx, githubAppId, installationId);
    if (id === undefined) return;
    await scheduleCheck(tx, id, now);
    await wakeFollowers(tx, id, now);
    tx.afterCommit(() => this.#options.github.forget(installationId));
  }

  /** Returns whether a workspace in this place may use the installation. */
  async usable(tx: Transaction, id: string, { organizationId }: Place): Promise<boolean> {
    return (await store.findUsableInstallation(tx, id, organizationId)) !== undefined;
  }

  /**
   * Returns a token of an installation, for one purpose.
   * @throws ProviderError `refused` if the installation is gone
   */
  async token(id: string, { purpose = 'read', repositoryIds = [] }: AccessOptions): Promise<Credential> {
    const { apps, database, github, httpFor } = this.#options;
    const installation = await store.findInstallation(database, id);
    const app = installation && (await store.findApp(database, installation.githubAppId));
    if (installation === undefined || app === undefined) {
      throw new ProviderError('refused', 'The installation of the GitHub App was removed from the organization');
    }
    const { privateKey } = await apps.secretsOf(app);
    const client = { apiUrl: app.apiUrl, clientId: app.clientId, privateKey, http: httpFor(app) };
    const scope = { repositoryIds, permissions: TOKEN_PERMISSIONS[purpose] };
    return { kind: 'app', token: await github.token(client, installation.installationId, scope) };
  }
}
