import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { isMailAddress, type Mailer } from '../../../mail/index.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import {
  type Attempt,
  type Delivery,
  type DeliveryTask,
  type Entry,
  type Queue,
  RowOutbox,
} from '../../delivery/index.ts';
import type { InvitationLinks } from './links.ts';
import { invitationUrl } from './resource.ts';
import * as store from './store.ts';
import type { InvitationUses } from './uses.ts';

/** @limit concurrent emails with invitations of a node, emails -> the others wait */
const MOST_AT_ONCE = 4;
/** @limit attempts to send an email with an invitation, attempts -> the email is dropped */
const MOST_TRIES = 6;

/** Claimed email. */
interface Row {
  readonly id: string;
  readonly organizationId: string;
  readonly membershipId: string;
  readonly invitedBy: string | null;
}

export interface InvitationMailOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly uses: Pick<InvitationUses, 'countEmail'>;
  /** URL of this server: `https://lock.example`. */
  readonly address: string;
  /** Called for messages that are not sent. */
  readonly note: Delivery['note'];
}

/** Outbox of emails with invitations. An attempt creates the link that it sends, so that no secret is stored. */
export class InvitationMail implements Queue<Entry<Row>, Attempt> {
  readonly name = 'invitations';
  readonly task: DeliveryTask = { name: 'invitation-mail', description: 'Sends invitations by email.' };
  readonly outbox = new RowOutbox<Row>({
    table: 'invitation_mail',
    columns: 'id, organization_id AS "organizationId", membership_id AS "membershipId", invited_by AS "invitedBy"',
  });
  readonly places = { all: MOST_AT_ONCE, ofOrganization: 1, toReceiver: 2 };
  readonly mostTries = MOST_TRIES;
  readonly #options: InvitationMailOptions;
  #links: Pick<InvitationLinks, 'issue'> | undefined;

  constructor(options: InvitationMailOptions) {
    this.#options = options;
  }

  /** Sets the source of links, which needs memberships, which need this outbox. */
  use(links: Pick<InvitationLinks, 'issue'>): void {
    this.#links = links;
  }

  /** Stores the email of a new invitation, in its transaction, unless a daily limit forbids it. */
  async add(
    tx: Transaction,
    invitation: { membershipId: string; organizationId: string; email: string; invitedBy: string | null },
  ): Promise<void> {
    const { clock, note, uses } = this.#options;
    const { email, ...row } = invitation;
    if (!isMailAddress(email)) return;
    const limit = await uses.countEmail(tx, row, email);
    if (limit !== undefined) {
      const subject = { organization: row.organizationId, membership: row.membershipId, limit };
      return tx.afterCommit(() =>
        note(subject, 'an invitation was not sent by email, because a daily limit is reached'),
      );
    }
    const now = clock();
    const target = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    await store.insertMail(tx, { ...row, id: prefixedId('im', now), target, now });
  }

  async attempt({ row: { id, invitedBy, membershipId } }: Entry<Row>, signal: AbortSignal): Promise<Attempt> {
    const { address, database, mailer } = this.#options;
    const found = await database.transaction(async (tx) => {
      const invitation = await store.findMailed(tx, membershipId, invitedBy);
      const link = invitation && (await this.#links?.issue(tx, { membershipId, createdBy: invitedBy, mailed: 1 }));
      return link && { ...invitation, secret: link.secret };
    });
    // The invitation was answered or withdrawn.
    if (found === undefined) return { outcome: 'refused' };
    const { email, secret } = found;
    const body = bodyOf(found, invitationUrl(address, secret));
    return mailer.send({ to: [email], ...body, id: `invitation-${id}`, listId: 'invitations' }, signal);
  }

  async settle(
    tx: Transaction,
    { row, tries }: Entry<Row>,
    _sent: Attempt,
    { verdict }: { verdict: string },
  ): Promise<void> {
    if (verdict !== 'given_up') return;
    await store.removeMailedLink(tx, row.membershipId);
    tx.afterCommit(() => {
      const subject = { organization: row.organizationId, membership: row.membershipId, tries: tries + 1 };
      this.#options.note(subject, 'an email with an invitation was dropped');
    });
  }
}

/** The names contain no characters that need escaping in HTML. */
function bodyOf({ invitedBy, organizationName }: store.MailedInvitation, url: string) {
  const subject = `Invitation to ${organizationName}`;
  const sentence = `${invitedBy ?? organizationName} invites you to the organization ${organizationName} on Lockkeeper.`;
  const rest = 'The link works once and for seven days. If you do not expect this invitation, ignore the message.';
  return {
    subject,
    text: `${sentence}\n\nOpen the invitation: ${url}\n\n${rest}\n`,
    html: `<!doctype html><html><body><p>${sentence}</p><p><a href="${url}">Open the invitation</a></p><p><small>${rest}</small></p></body></html>`,
  };
}
