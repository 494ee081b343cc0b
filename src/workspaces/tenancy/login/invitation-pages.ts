import { isoTime } from '../../../lib/clock.ts';
import type { Slice } from '../../jsonapi/pagination.ts';
import type { MembershipView } from '../membership/memberships.ts';
import { type Html, html } from './html.ts';
import { pageLayout } from './layout.ts';

/** Where users see and answer their invitations. */
export const INVITATIONS_PAGE = '/app/invitations';
/** Where the forms of the answers go. */
export const ANSWERS_PATH = `${INVITATIONS_PAGE}/answers`;

/** Leads to the invitations from pages that ask for a token anyway. */
export const INVITATIONS_LINK = html`<p><small>Invited to an organization?
<a href="${INVITATIONS_PAGE}">Accept or decline</a></small></p>`;

/** Asks whose invitations are to be shown. `wrong` says why an attempt failed; empty before the first. */
export function askPage(wrong: string): string {
  const alert = wrong === '' ? html`` : html`<p class="error" id="wrong" role="alert">${wrong}</p>`;
  const invalid = wrong === '' ? html`` : html` aria-invalid="true" aria-describedby="wrong"`;
  return pageLayout(
    'Your invitations',
    html`${alert}<p>An organization can invite you by your address. You are a member once you accept.</p>
<form method="post" action="${INVITATIONS_PAGE}">
<label for="token">Your token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="off" spellcheck="false"${invalid}>
<small>Any token of yours that is valid: the one you were given with your account will do. It is not kept.</small>
<button>Show my invitations</button>
</form>`,
  );
}

/** What waits, each with its two answers. `done` says what became of the last answer; empty before the first. */
export function invitationsPage(done: string, waiting: Slice<MembershipView>, ticket: string): string {
  const status = done === '' ? html`` : html`<p role="status">${done}</p>`;
  const none = waiting.total === 0 ? html`<p>No invitation waits for you.</p>` : html``;
  return pageLayout('Your invitations', html`${status}${none}${invitationForms(waiting, ticket)}`);
}

/** One form for each invitation. Nothing, where there is none. */
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
  const more = total > items.length ? html`<p>${String(total - items.length)} more follow.</p>` : html``;
  return html`${forms}${more}`;
}
