import type { Clock } from '../../../../lib/clock.ts';
import { AppError } from '../../../../lib/errors.ts';
import { prefixedId } from '../../../../lib/ids.ts';
import { type Database, UniqueViolation } from '../../../../storage/index.ts';
import { targetOf } from '../../../delivery/index.ts';
import { notFound } from '../../../jsonapi/errors.ts';
import { type Actor, type Organizations, requireInOrganization, type UserActor } from '../../../tenancy/index.ts';
import { installationsOfUser } from '../../provider/github/app/installation.ts';
import { appManifest, convertManifest, manifestFormUrl } from '../../provider/github/app/manifest.ts';
import { githubProvider } from '../../provider/github/github.ts';
import type { OAuthFlow, ProviderHttp } from '../../provider/port.ts';
import type { ConnectionSealing } from '../sealing.ts';
import type { Authorizations } from '../sign-in/authorizations.ts';
import { type CameBack, codeOf, refusal, whileSigningIn } from '../sign-in/came-back.ts';
import type { AppSecrets, AppWebhooks, OrganizationApp } from './app.ts';
import * as store from './app-store.ts';

/** Paths of the pages by which an App is created and linked. */
export const APP_PAGE = '/auth/github-app';
const CREATED_PATH = `${APP_PAGE}/created`;
const CALLBACK_PATH = `${APP_PAGE}/callback`;

/** URL of this server, and the organization whose App it is. */
interface Place {
  readonly origin: string;
  readonly organization: string;
}

/** Form that a browser sends to GitHub. */
export interface ManifestForm {
  readonly action: string;
  readonly manifest: string;
}

export interface GitHubAppsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealing: ConnectionSealing;
  readonly organizations: Organizations;
  readonly authorizations: Authorizations;
  readonly webhooks: AppWebhooks;
  readonly httpFor: (place: Pick<OrganizationApp, 'id' | 'apiUrl' | 'httpUrl'>) => ProviderHttp;
}

/** @limit URL of GitHub for a new App, characters -> the form shows an error */
const LONGEST_URL = 255;
const DOT_COM = 'https://github.com';
const EXISTS = 'The organization has a GitHub App already. Delete it first, here and at GitHub';
const NO_APP = 'The organization has no GitHub App';

/** GitHub Apps of organizations: created by a manifest, and linked to installations by users who prove their access. */
export class OrganizationApps {
  readonly #options: GitHubAppsOptions;
  readonly #flow = githubProvider.oauth as OAuthFlow;

  constructor(options: GitHubAppsOptions) {
    this.#options = options;
  }

  /**
   * Finds the App of an organization, for those who manage VCS settings.
   * @throws 404 without permission
   */
  async find(actor: Actor, organization: string): Promise<OrganizationApp | undefined> {
    const { database, organizations } = this.#options;
    const { id } = await organizations.find(actor, organization, 'can-update-oauth');
    return await store.findAppOfOrganization(database, id);
  }

  /**
   * Starts the creation of an App. The user's browser sends the form to GitHub.
   * @param account organization at GitHub that will own the App; empty: the user
   * @throws 404 without permission, 409 if the organization has an App, 422 for an unusable URL
   */
  async beginCreation(
    actor: UserActor,
    { origin, organization }: Place,
    { account, httpUrl }: { readonly account: string; readonly httpUrl: string },
  ): Promise<ManifestForm> {
    const { authorizations, organizations, webhooks } = this.#options;
    const { id } = await organizations.find(actor, organization, 'can-update-oauth');
    if (await store.findAppOfOrganization(this.#options.database, id)) throw new AppError('conflict', EXISTS);
    const url = URL.parse(httpUrl);
    const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    if (!isUsable || httpUrl.length > LONGEST_URL) {
      throw new AppError('unprocessable', 'Enter the https URL of GitHub, without credentials');
    }
    const webhook = webhooks.newWebhook();
    const subject: CreationSubject = {
      ...{ organizationId: id, httpUrl: url.origin + url.pathname.replace(/\/+$/, '') },
      hookKey: webhook?.key ?? null,
    };
    const { state } = await authorizations.start(actor, 'github-app', JSON.stringify(subject));
    const manifest = appManifest({
      ...{ name: `Lockkeeper ${organization}`, serverUrl: origin, webhookUrl: webhook?.url ?? null },
      redirectUrl: `${origin}${CREATED_PATH}`,
      callbackUrl: `${origin}${CALLBACK_PATH}`,
      setupUrl: `${origin}${APP_PAGE}?${new URLSearchParams({ organization_id: organization })}`,
    });
    const action = manifestFormUrl(subject.httpUrl, account === '' ? null : account, state);
    return { action, manifest: JSON.stringify(manifest) };
  }

  /**
   * Ends the creation: fetches the secrets of the App and stores them encrypted.
   * @throws 403 if the state is not of this session or GitHub refuses the code, 404 without permission
   */
  async finishCreation(actor: UserActor, came: CameBack): Promise<OrganizationApp> {
    const { authorizations, clock, database, httpFor, sealing, webhooks } = this.#options;
    const returned = await authorizations.take(actor, 'github-app', came.state);
    if (returned === undefined) throw refusal();
    const { organizationId, httpUrl, hookKey = null } = JSON.parse(returned.subjectId) as CreationSubject;
    requireInOrganization(actor, organizationId, 'can-update-oauth');
    const code = codeOf(came);
    const apiUrl = httpUrl === DOT_COM ? 'https://api.github.com' : `${httpUrl}/api/v3`;
    const now = clock();
    const id = prefixedId('gha', now);
    const http = httpFor({ id, apiUrl, httpUrl });
    const made = await whileSigningIn(() => convertManifest({ apiUrl, http }, code));
    const { clientId, slug, name, clientSecret, webhookSecret, privateKey } = made;
    const app = { id, organizationId, httpUrl, apiUrl, appId: made.id, clientId, slug, name, createdAt: now };
    const secrets = sealing.sealApp<AppSecrets>(id, { clientSecret, webhookSecret, privateKey });
    try {
      await database.transaction(async (tx) => {
        await store.insertApp(tx, app, secrets);
        if (hookKey === null || webhookSecret === null) return;
        const serviceProvider = httpUrl === DOT_COM ? 'github' : 'github_enterprise';
        await webhooks.add(tx, { id, organizationId, serviceProvider }, { key: hookKey, secret: webhookSecret }, now);
      });
    } catch (error) {
      throw error instanceof UniqueViolation ? new AppError('conflict', EXISTS) : error;
    }
    return (await store.findApp(database, id)) ?? { ...app, organizationName: '' };
  }

  /**
   * Starts the sign-in of a user at the App, which shows the installations that the user may use.
   * @throws 404 without permission or App
   */
  async beginLink(actor: UserActor, { origin, organization }: Place): Promise<string> {
    const app = await this.find(actor, organization);
    if (app === undefined) throw new AppError('not-found', NO_APP);
    const { state, challenge } = await this.#options.authorizations.start(actor, 'github-app-user', app.id);
    const redirectUri = `${origin}${CALLBACK_PATH}`;
    return this.#flow.authorizeUrl({ ...app, key: app.clientId, secret: '' }, { state, redirectUri, challenge });
  }

  /**
   * Ends the sign-in: links the installations that the user may use. The user's token is not stored.
   * @throws 403 if the state is not of this session or GitHub refuses, 404 without permission
   */
  async finishLink(
    actor: UserActor,
    came: CameBack,
    origin: string,
  ): Promise<{ app: OrganizationApp; linked: string[] }> {
    const { authorizations, clock, database, httpFor } = this.#options;
    const returned = await authorizations.take(actor, 'github-app-user', came.state);
    const app = returned && (await store.findApp(database, returned.subjectId));
    if (returned === undefined || app === undefined) throw refusal();
    requireInOrganization(actor, app.organizationId, 'can-update-oauth');
    const code = codeOf(came);
    const { clientSecret } = await this.secretsOf(app);
    const http = httpFor(app);
    const client = { ...app, key: app.clientId, secret: clientSecret };
    const grant = { code, redirectUri: `${origin}${CALLBACK_PATH}`, verifier: returned.verifier };
    const { account, found } = await whileSigningIn(async () => {
      const { accessToken } = await this.#flow.exchange(client, grant, http);
      const access = { ...app, http, credential: { kind: 'oauth', token: accessToken } } as const;
      const { name } = await githubProvider.whoAmI(access);
      return { account: name, found: await installationsOfUser(access, accessToken) };
    });
    const usable = found.filter(({ isSuspended }) => !isSuspended);
    const now = clock();
    const target = targetOf(app.apiUrl);
    await database.transaction(async (tx) => {
      const row = { id: prefixedId('ghat', now), userId: actor.id, githubAppId: app.id, name: account, now };
      await store.storeAccount(tx, row);
      for (const one of usable)
        await store.linkInstallation(tx, app, one, { id: prefixedId('ghain', now), target, now });
    });
    return { app, linked: usable.map(({ name }) => name) };
  }

  /**
   * Deletes an App and its installations here. The App at GitHub stays.
   * @throws 404 without permission or App
   */
  async delete(actor: Actor, organization: string): Promise<void> {
    const app = await this.find(actor, organization);
    if (app === undefined) throw notFound();
    await this.#options.database.transaction((tx) => store.removeApp(tx, app.id));
  }

  /** Returns the secrets of an App. @throws 404 if it was deleted */
  async secretsOf({ id }: Pick<OrganizationApp, 'id'>): Promise<AppSecrets> {
    const sealed = await store.findAppSecrets(this.#options.database, id);
    if (sealed === undefined) throw notFound();
    return this.#options.sealing.openApp<AppSecrets>(id, sealed);
  }
}

interface CreationSubject {
  readonly organizationId: string;
  readonly httpUrl: string;
  /** Last part of the URL of the webhook in the manifest; null: the App has none. */
  readonly hookKey: string | null;
}
