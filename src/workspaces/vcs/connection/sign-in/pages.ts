import { type Html, html, pageLayout } from '../../../tenancy/index.ts';
import type { OrganizationApp } from '../app/app.ts';
import { APP_PAGE, type ManifestForm } from '../app/apps.ts';
import { uuidOf } from '../callback.ts';
import { type OAuthClientView, SERVICE_PROVIDERS } from '../connection.ts';

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;
const organizationField = (organization: string) => hidden('organization_id', organization);

/** Link to the page of the console that shows the connections of an organization, or one of them. */
function backTo(organization: string, connection?: string): Html {
  const path = ['app', organization, 'settings', 'version-control', ...(connection ? [connection] : [])];
  return html`<p><a href="/${path.map(encodeURIComponent).join('/')}">Open it in the console</a></p>`;
}

/** Page for a browser without a session of a user. */
export function signInFirstPage(): string {
  return pageLayout(
    'Sign in first',
    html`<p>Only a user with a session can connect a VCS provider.</p>
<p><a href="/app/~sign-in">Sign in to the console</a>, and start again there: Settings, Version control.</p>`,
  );
}

/** Page for a sign-in that has failed. It has no path back to the connection, because the state may be anybody's. */
export function failedPage(detail: string): string {
  return pageLayout(
    'Request failed',
    html`<p class="error" role="alert">${detail}.</p>
<p><a href="/app/">Open the console</a>. Connections are in the settings of the organization, under Version control.</p>`,
  );
}

/** Page that starts a sign-in at the provider of a connection. */
export function connectPage(client: OAuthClientView, username: string): string {
  const provider = SERVICE_PROVIDERS[client.serviceProvider];
  const again =
    client.tokenIds.length > 0
      ? html`<p>The new token replaces the present one. Workspaces stay connected.</p>`
      : html``;
  return pageLayout(
    `Connect ${provider}`,
    html`<p>You are signed in here as <strong>${username}</strong>. At ${provider} (<strong>${new URL(client.httpUrl).host}</strong>)
you allow this server to act with your account for the organization <strong>${client.organizationName}</strong>.</p>
<p>Everybody who may choose repositories in this organization can then read what your account can read. Use a service
account if you can.</p>${again}
<form method="post" action="/auth/${uuidOf(client.id)}">${organizationField(client.organizationName)}
<button>Continue to ${provider}</button></form>`,
  );
}

/** Page after a sign-in at a provider. */
export function connectedPage(client: OAuthClientView): string {
  const { status, reason } = client.health;
  const result =
    status === 'ok'
      ? html`<p>The connection of <strong>${client.organizationName}</strong> works.</p>`
      : html`<p class="error" role="alert">The server has a token, but its check failed: ${reason ?? ''}.</p>`;
  return pageLayout('Connected', html`${result}${backTo(client.organizationName, client.id)}`);
}

/** Page of the GitHub App of an organization. */
export function appPage(organization: string, app: OrganizationApp | undefined): string {
  return app === undefined ? newAppPage(organization) : existingAppPage(organization, app);
}

function newAppPage(organization: string): string {
  return pageLayout(
    'Create a GitHub App',
    html`<p>GitHub creates an App for the organization <strong>${organization}</strong>. This server gets its key from
GitHub and never shows it.</p>
<form method="post" action="${APP_PAGE}">${organizationField(organization)}
<label for="account">Organization at GitHub</label>
<input id="account" name="account" maxlength="100" autocomplete="off" spellcheck="false">
<small>Owner of the App. Leave it empty to create the App in your own account.</small>
<label for="http_url">URL of GitHub</label>
<input id="http_url" name="http_url" required maxlength="255" value="https://github.com" spellcheck="false">
<button>Continue</button></form>`,
  );
}

function existingAppPage(organization: string, app: OrganizationApp): string {
  return pageLayout(
    app.name,
    html`<ol><li><a href="${installUrl(app)}">Install the App at GitHub</a>, and choose the repositories there.</li>
<li>Sign in at GitHub, to prove which installations you may use. They are linked to the organization
<strong>${organization}</strong>.</li></ol>
<form method="post" action="${APP_PAGE}/sign-in">${organizationField(organization)}
<button>Sign in at GitHub and link installations</button></form>`,
  );
}

/** Returns the page at GitHub where an App is installed. */
export const installUrl = ({ httpUrl, slug }: Pick<OrganizationApp, 'httpUrl' | 'slug'>): string =>
  `${httpUrl}/apps/${encodeURIComponent(slug)}/installations/new`;

/** Page with the form that the browser sends to GitHub. */
export function manifestPage({ action, manifest }: ManifestForm): string {
  return pageLayout(
    'Create a GitHub App',
    html`<p>GitHub at <strong>${new URL(action).host}</strong> asks for the name of the App next, and then leads back here.</p>
<form method="post" action="${action}">${hidden('manifest', manifest)}<button>Create the App at GitHub</button></form>`,
  );
}

/** Page after a sign-in at a GitHub App. */
export function linkedPage({ organizationName }: OrganizationApp, linked: readonly string[]): string {
  const result =
    linked.length === 0
      ? html`<p class="error" role="alert">You may use no installation of the App. Install it at GitHub first, then sign in again.</p>`
      : html`<p>Linked to <strong>${organizationName}</strong>:</p><ul>${linked.map((name) => html`<li>${name}</li>`)}</ul>`;
  return pageLayout('Installations', html`${result}${backTo(organizationName)}`);
}

/**
 * Page that leads to another one with a refresh. After a form, browsers would apply the page's `form-action` to a
 * redirect. Back from a provider, they send the strict session cookie only with a request of a page of this server.
 */
export function onwardPage(address: string): string {
  return pageLayout(
    'One moment',
    html`<meta http-equiv="refresh" content="0; url=${address}"><p><a href="${address}">Continue</a></p>`,
  );
}
