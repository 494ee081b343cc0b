import { isoTime } from '../../../lib/clock.ts';
import type { UserActor } from '../permissions/actor.ts';
import type { IssuedToken } from '../token/tokens.ts';
import { type AuthorizationRequest, LOGIN_CLIENT, parametersOf } from './authorization-request.ts';
import { DEFAULT_LIFETIME, LIFETIMES, MAX_DESCRIPTION } from './form.ts';
import { type Html, html } from './html.ts';
import { INVITATIONS_LINK } from './invitation-pages.ts';
import { pageLayout } from './layout.ts';
import type { WayIn } from './visitors.ts';

/** Path of the token page, which `tofu` and `terraform` know, too. */
export const TOKEN_PAGE = '/app/settings/tokens';

const NOTHING = html``;

/** User with a session. */
type Visitor = Pick<UserActor, 'username'>;

/** Shows the user of the session. Without a session, requests a token. */
function holderFields(user: Visitor | undefined, wrong: string, waysIn: readonly WayIn[]): Html {
  if (user) return html`<p>You are signed in as <strong>${user.username}</strong>.</p>`;
  const invalid = wrong === '' ? NOTHING : html` aria-invalid="true" aria-describedby="wrong"`;
  const links = waysIn.map(
    ({ name, address }) => html`<p><a href="${address}">Sign in with ${name}</a>, or enter a token:</p>`,
  );
  return html`${links}<label for="token">Your token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="off" spellcheck="false"${invalid}>
<small>Enter any valid token of yours, for example the one you got with your account. It is not stored.</small>`;
}

function tokenFields(description: string, user: Visitor | undefined, wrong: string, waysIn: readonly WayIn[]): Html {
  const options = Object.entries(LIFETIMES).map(
    ([key, { label }]) =>
      html`<option value="${key}"${key === DEFAULT_LIFETIME ? html` selected` : NOTHING}>${label}</option>`,
  );
  return html`${holderFields(user, wrong, waysIn)}
<label for="description">Description of the new token</label>
<input id="description" name="description" required maxlength="${String(MAX_DESCRIPTION)}" value="${description}">
<label for="lifetime">Lifetime</label>
<select id="lifetime" name="lifetime">${options}</select>`;
}

function alert(wrong: string): Html {
  return wrong === '' ? NOTHING : html`<p class="error" id="wrong" role="alert">${wrong}</p>`;
}

/**
 * Page on which the user confirms a login of `tofu` or `terraform`.
 * @param wrong error of the last attempt; empty before the first one
 */
export function authorizePage(
  request: AuthorizationRequest,
  wrong: string,
  user?: Visitor,
  waysIn: readonly WayIn[] = [],
): string {
  const hidden = Object.entries(parametersOf(request)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return pageLayout(
    'Log in on the command line',
    html`${alert(wrong)}<p>OpenTofu or Terraform on <strong>${new URL(request.redirectUri).host}</strong> (this machine)
requests a token. The token has all your permissions on this server.</p>
<p>If you did not just run <code>login</code> in a terminal, close this page.</p>
<form method="post" action="${LOGIN_CLIENT.authorizePath}">
${hidden}
${tokenFields('login on the command line', user, wrong, waysIn)}
<button>Create token and log in</button>
</form>${INVITATIONS_LINK}`,
  );
}

/** Page that creates a token. */
export function tokenPage(
  fromCommandLine: boolean,
  wrong: string,
  user?: Visitor,
  waysIn: readonly WayIn[] = [],
): string {
  const why = fromCommandLine
    ? html`<p>Your command line is waiting for a token. Create one here and paste it there.</p>`
    : html`<p>A token gives a program your permissions. Create one for each program, so that you can revoke each one separately.</p>`;
  return pageLayout(
    'Create a token',
    html`${alert(wrong)}${why}
<form method="post" action="${TOKEN_PAGE}">
${tokenFields(fromCommandLine ? 'login on the command line' : '', user, wrong, waysIn)}
<button>Create token</button>
</form>${INVITATIONS_LINK}`,
  );
}

/** Page that shows a new token, this once, and the user's open invitations. */
export function issuedPage(username: string, { token, text }: IssuedToken, waiting: Html): string {
  const end = token.expiresAt === null ? NOTHING : html` Expires on ${isoTime(token.expiresAt).slice(0, 16)} UTC.`;
  return pageLayout(
    'Your new token',
    html`<p>For <strong>${username}</strong>: ${token.description}.${end}</p>
<p><code class="secret">${text}</code></p>
<p>This token is shown only once. Copy it now and keep it like a password.</p>${waiting}`,
  );
}

/** Page for an error after which the user cannot try again. */
export function refusedPage(detail: string): string {
  return pageLayout('Request failed', html`<p class="error" role="alert">${detail}.</p>`);
}
