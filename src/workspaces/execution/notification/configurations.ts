import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Mailer } from '../../../mail/index.ts';
import type { Database } from '../../../storage/index.ts';
import type { Sent } from '../../delivery/index.ts';
import { conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Actor, Tenancy } from '../../tenancy/index.ts';
import { nextDigestAt } from './digest/rules.ts';
import { memberMailboxes } from './mail/members.ts';
import { noticeOf } from './notice.ts';
import type { ConfigurationView, NotificationConfiguration, Owner } from './notification.ts';
import { listInherited, messages } from './queue-store.ts';
import { withResponse } from './responses.ts';
import { needsVerification, type RuleContext, settingsAfter, settingsOfNew } from './rules.ts';
import type { ConfigurationInput } from './schema.ts';
import type { NotificationSealing } from './sealing.ts';
import * as store from './store.ts';
import { type Subscribable, type Subscribables, subscribableOf } from './subscribables.ts';
import type { Verification } from './verification.ts';

/** Dependencies of the service. */
export interface NotificationConfigurationsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly subscribables: Subscribables;
  readonly teams: Pick<Tenancy['teams'], 'readable'>;
  readonly sealing: NotificationSealing;
  readonly verification: Verification;
  /** SMTP server; undefined if the operator has configured none. */
  readonly mailer: Mailer | undefined;
}

/** @limit notification configurations of one workspace, project, team or organization, configurations -> 422 */
const MAX_CONFIGURATIONS = 20;

/**
 * Service for notification configurations of workspaces, projects, teams and organizations. Requires the permission to
 * administer them. An enabled configuration is verified first and stored only if the receiver responds.
 */
export class NotificationConfigurations {
  readonly #options: NotificationConfigurationsOptions;

  constructor(options: NotificationConfigurationsOptions) {
    this.#options = options;
  }

  /** Lists configurations in order of creation. @throws 404 without permission */
  async list(actor: Actor, subscribable: Subscribable, page: Page): Promise<Slice<ConfigurationView>> {
    const { database, subscribables } = this.#options;
    const owner = await subscribables.find(actor, subscribable);
    const { items, total } = await store.listConfigurations(database, owner, page);
    return { items: await Promise.all(items.map((row) => this.#viewOf(row))), total };
  }

  /**
   * Lists the configurations of the project, the organization, and the teams that the actor may see, which get messages
   * about a workspace too.
   * @throws 404 without permission
   */
  async inherited(actor: Actor, workspaceId: string): Promise<ConfigurationView[]> {
    const { database, subscribables, teams } = this.#options;
    await subscribables.find(actor, { type: 'workspaces', id: workspaceId });
    const rows = await listInherited(database, workspaceId);
    // Secret teams stay secret: administrators of a workspace need not see all teams with access to it.
    const ids = rows.flatMap(({ teamId }) => teamId ?? []);
    const seen = new Set((ids.length === 0 ? [] : await teams.readable(actor, ids)).map(({ id }) => id));
    const shown = rows.filter(({ teamId }) => teamId === null || seen.has(teamId));
    return Promise.all(shown.map((row) => this.#viewOf(row)));
  }

  /**
   * Finds a configuration.
   * @throws 404 if it does not exist or without permission
   */
  async find(actor: Actor, id: string): Promise<ConfigurationView> {
    const { database, subscribables } = this.#options;
    const row = await store.findConfiguration(database, id);
    if (row === undefined) throw notFound();
    await subscribables.find(actor, subscribableOf(row, row.organizationName));
    return this.#viewOf(row);
  }

  /**
   * Creates a configuration.
   * @param origin URL of this API
   * @throws 404 without permission, 422 for invalid attributes and too many configurations, 400 if it is enabled and
   * the verification fails, 429 for too many verifications
   */
  async create(actor: Actor, subscribable: Subscribable, input: ConfigurationInput, origin: string) {
    const { clock, database, sealing, subscribables } = this.#options;
    const owner = await subscribables.find(actor, subscribable);
    const settings = settingsOfNew(input, this.#context(owner));
    await this.#assertMembers(owner, settings.emailUsers);
    if ((await store.countConfigurations(database, owner)) >= MAX_CONFIGURATIONS) throw tooMany();
    const now = clock();
    const id = prefixedId('nc', now);
    const times = { version: 1, createdAt: now, updatedAt: now, digestAt: nextDigest(settings, now) };
    const made: NotificationConfiguration = { ...owner, ...settings, ...times, id, origin, responses: [] };
    const responses = await this.#verified(undefined, made);
    await database.transaction(async (tx) => {
      if ((await store.countConfigurations(tx, owner)) >= MAX_CONFIGURATIONS) throw tooMany();
      if (!(await store.insertConfiguration(tx, { ...made, responses }, sealing))) throw notFound();
    });
    return this.find(actor, id);
  }

  /**
   * Updates a configuration.
   * @throws like `create`, and 409 after a concurrent change
   */
  async update(actor: Actor, id: string, input: ConfigurationInput, origin: string) {
    const { clock, database, sealing } = this.#options;
    const current = await this.find(actor, id);
    const settings = settingsAfter(current, input, this.#context(current));
    await this.#assertMembers(current, settings.emailUsers);
    const now = clock();
    // The time moves when a digest is stored, which can happen during the verification.
    const keepsDigest = isSameDigest(current, settings);
    const digestAt = keepsDigest ? current.digestAt : nextDigest(settings, now);
    const next = { ...current, ...settings, origin, updatedAt: now, digestAt };
    const responses = await this.#verified(current, next);
    await database.transaction(async (tx) => {
      const kept = await store.responsesOf(tx, id);
      if (kept === undefined) throw notFound();
      const before = sealing.openedResponses(id, kept.responses);
      const after = responses.reduce(withResponse, before);
      const stored = { ...next, responses: [...after] };
      if (!(await store.updateConfiguration(tx, stored, sealing, keepsDigest))) throw conflict(CHANGED);
      if (!next.enabled) await messages.clear(tx, id);
    });
    return this.find(actor, id);
  }

  /** Deletes a configuration with its unsent messages. @throws 404 without permission */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.find(actor, id);
    await store.removeConfiguration(this.#options.database, id);
  }

  /**
   * Verifies a configuration, enabled or not, and stores the response.
   * @throws 404 without permission, 400 if the verification fails, 429 for too many verifications
   */
  async verify(actor: Actor, id: string): Promise<ConfigurationView> {
    const { database, sealing, verification } = this.#options;
    const sent = await verification.run(await this.find(actor, id));
    await database.transaction(async (tx) => {
      if (!(await store.addResponse(tx, id, sent.response, sealing))) throw notFound();
    });
    if (sent.outcome !== 'arrived') throw unverified(sent);
    return this.find(actor, id);
  }

  /** Verifies the receiver of a changed configuration if that is necessary, and returns its response. */
  async #verified(current: NotificationConfiguration | undefined, next: NotificationConfiguration) {
    if (!needsVerification(current, next)) return [];
    const sent = await this.#options.verification.run(next);
    if (sent.outcome !== 'arrived') throw unverified(sent);
    return [sent.response];
  }

  /** @throws 422 for users who are not in the organization, or not in the team */
  async #assertMembers(owner: Owner, ids: readonly string[]): Promise<void> {
    const members = new Set((await memberMailboxes(this.#options.database, owner, ids)).map(({ id }) => id));
    const others = ids.filter((id) => !members.has(id));
    if (others.length === 0) return;
    const detail = `Users has users who are not members of the ${owner.teamId === null ? 'organization' : 'team'}: ${others.join(', ').slice(0, 200)}`;
    throw unprocessable([{ detail, pointer: '/data/relationships/users' }]);
  }

  /** Leaves out recipients who have left. */
  async #viewOf({ organizationName, ...row }: store.NamedRow): Promise<ConfigurationView> {
    const { database, mailer, sealing } = this.#options;
    const stored = store.configurationOf(row, sealing);
    const members = new Set((await memberMailboxes(database, stored, stored.emailUsers)).map(({ id }) => id));
    const configuration = { ...stored, emailUsers: stored.emailUsers.filter((id) => members.has(id)) };
    return { ...configuration, organizationName, notice: noticeOf(configuration, mailer !== undefined) };
  }

  #context({ teamId }: Owner): RuleContext {
    const { mailer } = this.#options;
    return { isOfTeam: teamId !== null, allowsAddress: mailer && ((address) => mailer.allows(address)) };
  }
}

const nextDigest = ({ digest, enabled }: Pick<NotificationConfiguration, 'digest' | 'enabled'>, now: number) =>
  digest === null || !enabled ? null : nextDigestAt(digest, now);

/** Whether the time of the next digest stays: another change must not skip one that is due. */
const isSameDigest = (
  before: Pick<NotificationConfiguration, 'digest' | 'enabled'>,
  after: Pick<NotificationConfiguration, 'digest' | 'enabled'>,
) => before.enabled === after.enabled && JSON.stringify(before.digest) === JSON.stringify(after.digest);

const CHANGED = 'The notification configuration was changed by another request. Read it again and repeat your change';

function tooMany(): AppError {
  const detail = `A workspace, project, team or organization has at most ${MAX_CONFIGURATIONS} notification configurations`;
  return unprocessable([{ detail }]);
}

function unverified({ reason }: Pick<Sent, 'reason'>): AppError {
  return new AppError('bad-request', `Unable to complete verification request to destination URL: ${reason}`);
}
