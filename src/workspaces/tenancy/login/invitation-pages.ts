import { isoTime } from '../../../lib/clock.ts';
import type { Slice } from '../../jsonapi/pagination.ts';
import type { MembershipView } from '../membership/memberships.ts';
import { type Html, html } from './html.ts';
import { pageLayout } from './layout.ts';

/** Page on which users see their invitations and accept or decline them. */
export const INVITATIONS_PAGE = '/app/invitations';
/** Target of the forms that accept or decline an invitation. */
export const ANSWERS_PATH = `${INVITATIONS_PAGE}/answers`;

/** Link to the invitations, for pages on which users enter a token. */
export const INVITATIONS_LINK = html`<p><small>Invited to an organization?
<a href="${INVITATIONS_PAGE}">Accept or decline</a></small></p>`;

/**
 * Page on which users enter a token to see their invitations.
 * @param wrong error of the last attempt; empty before the first one
 */
export function askPage(wrong: string): string {
  const alert = wrong === '' ? html`` : html`<p class="error" id="wrong" role="alert">${wrong}</p>`;
  const invalid = wrong === '' ? html`` : html` aria-invalid="true" aria-describedby="wrong"`;
  return pageLayout(
    'Your invitations',
    html`${alert}<p>An organization can invite you by your email address. You become a member when you accept.</p>
<form method="post" action="${INVITATIONS_PAGE}">
<label for="token">Your token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="off" spellcheck="false"${invalid}>
<small>Enter any valid token of yours, for example the one you got with your account. It is not stored.</small>
<button>Show my invitations</button>
</form>`,
  );
}

/**
 * Page with the open invitations and two buttons for each.
 * @param done result of the last action; empty before the first one
 */
export function invitationsPage(done: string, waiting: Slice<MembershipView>, ticket: string): string {
  const status = done === '' ? html`` : html`<p role="status">${done}</p>`;
  const none = waiting.total === 0 ? html`<p>You have no open invitations.</p>` : html``;
  return pageLayout('Your invitations', html`${status}${none}${invitationForms(waiting, ticket)}`);
}

/** Returns one form for each invitation. Empty without invitations. */
export function invitationForms({ items, total }: Slice<MembershipView>, ticket: string): Html {
  const forms = items.map(
    ({ id, organizationName, createdAt }) => html`<form method="post" action="${ANSWERS_PATH}">
<p>You are invited to <strong>${organizationName}</strong>, since ${isoTime(createdAt).slice(0, 10)}.</p>
<input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="invitation" value="${id}">
<button name="answer" value="accept">Accept: become a member of ${organizationName}</button>
<button name="answer" value="decline">Decline</button>
</form>`,
  );
  const more =
    total > items.length ? html`<p>${String(total - items.length)} more are shown after you answer these.</p>` : html``;
  return html`${forms}${more}`;
}
