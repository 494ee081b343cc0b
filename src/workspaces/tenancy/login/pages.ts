import { isoTime } from '../../../lib/clock.ts';
import type { UserActor } from '../permissions/actor.ts';
import type { IssuedToken } from '../token/tokens.ts';
import { type AuthorizationRequest, LOGIN_CLIENT, parametersOf } from './authorization-request.ts';
import { DEFAULT_LIFETIME, LIFETIMES, MAX_DESCRIPTION } from './form.ts';
import { type Html, html } from './html.ts';
import { INVITATIONS_LINK } from './invitation-pages.ts';
import { pageLayout } from './layout.ts';
import type { WayIn } from './visitors.ts';

/** Where the token page is; the command lines know it too. */
export const TOKEN_PAGE = '/app/settings/tokens';

const NOTHING = html``;

/** Somebody with a session, where there is one. */
type Visitor = Pick<UserActor, 'username'>;

/** Whose token it will be: shown where a session says so, else asked for. */
function holderFields(user: Visitor | undefined, wrong: string, waysIn: readonly WayIn[]): Html {
  if (user) return html`<p>You are signed in as <strong>${user.username}</strong>.</p>`;
  const invalid = wrong === '' ? NOTHING : html` aria-invalid="true" aria-describedby="wrong"`;
  const links = waysIn.map(
    ({ name, address }) => html`<p><a href="${address}">Sign in with ${name}</a>, or show a token:</p>`,
  );
  return html`${links}<label for="token">Your token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="off" spellcheck="false"${invalid}>
<small>Any token of yours that is valid: the one you were given with your account will do. It is not kept.</small>`;
}

function tokenFields(description: string, user: Visitor | undefined, wrong: string, waysIn: readonly WayIn[]): Html {
  const options = Object.entries(LIFETIMES).map(
    ([key, { label }]) =>
      html`<option value="${key}"${key === DEFAULT_LIFETIME ? html` selected` : NOTHING}>${label}</option>`,
  );
  return html`${holderFields(user, wrong, waysIn)}
<label for="description">Description of the new token</label>
<input id="description" name="description" required maxlength="${String(MAX_DESCRIPTION)}" value="${description}">
<label for="lifetime">It ends after</label>
<select id="lifetime" name="lifetime">${options}</select>`;
}

function alert(wrong: string): Html {
  return wrong === '' ? NOTHING : html`<p class="error" id="wrong" role="alert">${wrong}</p>`;
}

/** Asks the user to let a command line in. `wrong` says why an attempt failed; empty before the first. */
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
    html`${alert(wrong)}<p>OpenTofu or Terraform on <strong>${new URL(request.redirectUri).host}</strong>, this machine,
asks for a token of yours. With it, it may do all that you may do here.</p>
<p>If you did not just type <code>login</code> there, close this page.</p>
<form method="post" action="${LOGIN_CLIENT.authorizePath}">
${hidden}
${tokenFields('login on the command line', user, wrong, waysIn)}
<button>Make a token and log in</button>
</form>${INVITATIONS_LINK}`,
  );
}

/** Explains tokens, and makes one. */
export function tokenPage(
  fromCommandLine: boolean,
  wrong: string,
  user?: Visitor,
  waysIn: readonly WayIn[] = [],
): string {
  const why = fromCommandLine
    ? html`<p>Your command line waits for a token. Make one here and paste it there.</p>`
    : html`<p>A token lets a program do what you may do. Make one for each program: it can be revoked on its own.</p>`;
  return pageLayout(
    'Make a token',
    html`${alert(wrong)}${why}
<form method="post" action="${TOKEN_PAGE}">
${tokenFields(fromCommandLine ? 'login on the command line' : '', user, wrong, waysIn)}
<button>Make a token</button>
</form>${INVITATIONS_LINK}`,
  );
}

/** Shows a new token, this once, and whatever waits for the user. */
export function issuedPage(username: string, { token, text }: IssuedToken, waiting: Html): string {
  const end = token.expiresAt === null ? NOTHING : html` It ends on ${isoTime(token.expiresAt).slice(0, 16)} UTC.`;
  return pageLayout(
    'Your new token',
    html`<p>For <strong>${username}</strong>: ${token.description}.${end}</p>
<p><code class="secret">${text}</code></p>
<p>It is shown this once. Copy it now and keep it as you would keep a password.</p>${waiting}`,
  );
}

/** Says what is wrong where there is nothing to try again. */
export function refusedPage(detail: string): string {
  return pageLayout('That did not work', html`<p class="error" role="alert">${detail}.</p>`);
}
