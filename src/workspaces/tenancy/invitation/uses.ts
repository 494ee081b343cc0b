import { createHash } from 'node:crypto';
import type { BackgroundTask, BackgroundWork, Leadership } from '../../../lib/background/background-work.ts';
import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Queries, Transaction } from '../../../storage/index.ts';
import type { Delivery } from '../../delivery/index.ts';
import * as store from './store.ts';
import {
  countUses,
  creatorOf,
  founderOf,
  type InvitationUse,
  insertUse,
  removeOldUses,
  type UseCounts,
} from './use-store.ts';

/**
 * @limit invitations that one organization sends by email in 24 hours, emails -> further ones have only the link
 */
const EMAILS_OF_ORGANIZATION = 100;
/**
 * @limit invitations that one user sends by email in 24 hours, in all organizations, emails -> further ones have only the
 * link. The tokens and machines of all organizations that one user created have the same limit together, apart from the user
 */
const EMAILS_OF_PRINCIPAL = 100;
/** @limit invitations that one user sends by email to one address in 24 hours, emails -> further ones have only the link */
const EMAILS_TO_RECIPIENT = 5;
/**
 * @limit invitations that the server sends by email in 24 hours, emails -> further ones have only the link
 * @setting smtp.invitations_per_day
 */
const EMAILS_OF_SERVER = 1000;
/**
 * @limit accounts that links of invitations to one organization create in 24 hours, accounts -> 429; the link stays valid
 */
const ACCOUNTS_OF_ORGANIZATION = 100;
/**
 * @limit accounts that the invitations of one user create in 24 hours, in all organizations, accounts -> 429; the link stays
 * valid. Invitations by these new accounts count for the same user
 */
const ACCOUNTS_OF_PRINCIPAL = 100;
/**
 * @limit accounts that links of invitations create on the server in 24 hours, accounts -> 429; the link stays valid
 * @setting sign_in.invited_accounts_per_day
 */
const ACCOUNTS_OF_SERVER = 500;

/** Prefix of the principal for the tokens and machines of all organizations that a user created. */
const FOUNDER = 'founder:';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const SWEEP: TaskDefinition = {
  name: 'invitation-housekeeping',
  description: 'Deletes counts and sent emails of invitations after a day, and expired links.',
  runsOn: 'leader',
  period: HOUR_MS,
};

/** Limits of the whole server, which the operator sets. Absent: the defaults. */
export interface InvitationLimits {
  readonly emailsPerDay?: number | undefined;
  readonly accountsPerDay?: number | undefined;
}

/** Limit that is reached. */
export type ReachedLimit = 'server' | 'organization' | 'inviter' | 'recipient';

/** Invitation that is used. */
export interface Used {
  readonly organizationId: string;
  /** Id of the user who invites; null for the token of a team or an organization, and for a machine. */
  readonly invitedBy: string | null;
}

export interface InvitationUsesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: InvitationLimits;
  readonly report: (error: unknown) => void;
  /** Called for accounts that are not created. */
  readonly note: Delivery['note'];
}

/**
 * Counts the emails and the accounts of invitations, and refuses more than a day may have. A user can create any number of
 * organizations, and those any number of teams and tokens. So a use counts for the user who invites. Tokens and machines count
 * together for the user who created their organizations, apart from that user's own uses: colleagues have them too. A user whom
 * an invitation created counts as the inviter. Rows stay until they leave the window, whatever is deleted. After that an
 * invited user counts as another one, so the server has a limit too.
 */
export class InvitationUses implements BackgroundWork {
  readonly #options: InvitationUsesOptions;
  readonly #sweeps: PeriodicTask;

  constructor(options: InvitationUsesOptions) {
    this.#options = options;
    this.#sweeps = PeriodicTask.every(SWEEP, () => this.sweep(), options.report);
  }

  /**
   * Counts an email, in the transaction that stores it.
   * @returns the limit that forbids the email; undefined if it may be sent
   */
  async countEmail(tx: Transaction, used: Used, email: string): Promise<ReachedLimit | undefined> {
    const recipient = createHash('sha256').update(email).digest('base64url');
    const use = await this.#use(tx, 'email', used, { recipient });
    const reached = await this.#reached(tx, use);
    if (reached === undefined) await insertUse(tx, use);
    return reached;
  }

  /**
   * Counts a new account, in the transaction that creates it.
   * @throws 429 beyond a limit
   */
  async countAccount(tx: Transaction, used: Used, accountId: string): Promise<void> {
    await insertUse(tx, await this.#allowedAccount(tx, used, accountId));
  }

  /**
   * Checks that an account may be created, without counting it.
   * @throws 429 beyond a limit
   */
  async assertAccount(db: Queries, used: Used): Promise<void> {
    await this.#allowedAccount(db, used);
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#sweeps.tasks;
  }

  start(leadership?: Leadership): void {
    this.#sweeps.start(leadership);
  }

  stop(): Promise<void> {
    return this.#sweeps.stop();
  }

  /** Deletes what has left the window. */
  async sweep(): Promise<void> {
    const { clock, database } = this.#options;
    const now = clock();
    await database.transaction(async (tx) => {
      await removeOldUses(tx, now - DAY_MS);
      await store.removeOldMails(tx, now - DAY_MS);
      await store.removeExpiredLinks(tx, now);
    });
  }

  async #allowedAccount(db: Queries, used: Used, accountId: string | null = null): Promise<InvitationUse> {
    const use = await this.#use(db, 'account', used, { accountId });
    const limit = await this.#reached(db, use);
    if (limit === undefined) return use;
    const subject = { organization: used.organizationId, limit };
    this.#options.note(subject, 'an invitation created no account, because a daily limit is reached');
    throw tooManyAccounts();
  }

  async #use(
    db: Queries,
    kind: InvitationUse['kind'],
    used: Used,
    { recipient = null, accountId = null }: Partial<Pick<InvitationUse, 'recipient' | 'accountId'>>,
  ): Promise<InvitationUse> {
    const now = this.#options.clock();
    const { organizationId } = used;
    const principalId = await principalOf(db, used, now - DAY_MS);
    return { id: prefixedId('iu', now), kind, organizationId, principalId, recipient, accountId, now };
  }

  async #reached(db: Queries, use: InvitationUse): Promise<ReachedLimit | undefined> {
    const counts = await countUses(db, use, use.now - DAY_MS);
    const limits = this.#limitsOf(use.kind);
    if (counts.ofServer >= limits.ofServer) return 'server';
    if (counts.ofOrganization >= limits.ofOrganization) return 'organization';
    if (counts.ofPrincipal >= limits.ofPrincipal) return 'inviter';
    return counts.toRecipient >= limits.toRecipient ? 'recipient' : undefined;
  }

  #limitsOf(kind: InvitationUse['kind']): UseCounts {
    const { emailsPerDay, accountsPerDay } = this.#options.limits;
    if (kind === 'email') {
      return {
        ofServer: emailsPerDay ?? EMAILS_OF_SERVER,
        ofOrganization: EMAILS_OF_ORGANIZATION,
        ofPrincipal: EMAILS_OF_PRINCIPAL,
        toRecipient: EMAILS_TO_RECIPIENT,
      };
    }
    return {
      ofServer: accountsPerDay ?? ACCOUNTS_OF_SERVER,
      ofOrganization: ACCOUNTS_OF_ORGANIZATION,
      ofPrincipal: ACCOUNTS_OF_PRINCIPAL,
      toRecipient: Number.POSITIVE_INFINITY,
    };
  }
}

/** Returns the principal for which a use counts. */
async function principalOf(db: Queries, { organizationId, invitedBy }: Used, after: number): Promise<string> {
  const userId = invitedBy ?? (await founderOf(db, organizationId));
  if (userId === undefined) return organizationId;
  // The row of an invited user has the first inviter already.
  const first = (await creatorOf(db, userId, after)) ?? userId;
  return invitedBy !== null || first.startsWith(FOUNDER) ? first : `${FOUNDER}${first}`;
}

function tooManyAccounts(): AppError {
  const why = 'Invitations have created too many accounts in the last 24 hours';
  const next = 'The link stays valid: try again later, or accept the invitation with an account that you have';
  return new AppError('too-many-requests', `${why}. ${next}`, { retryAfter: HOUR_MS / 1000 });
}
