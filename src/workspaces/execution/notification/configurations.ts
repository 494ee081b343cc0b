import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import type { DeliveryResponse, OutcomeCounts, Sender, Sent } from '../../delivery/index.ts';
import { conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Trials } from '../../platform/trials.ts';
import { type Actor, grantIn } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import { messageOf } from './message.ts';
import type { DeliveryLabels, NotificationConfiguration } from './notification.ts';
import { messages } from './queue-store.ts';
import { withResponse } from './responses.ts';
import { needsVerification, settingsAfter, settingsOfNew } from './rules.ts';
import type { ConfigurationInput } from './schema.ts';
import type { NotificationSealing } from './sealing.ts';
import * as store from './store.ts';

/** Dependencies of the service. */
export interface NotificationConfigurationsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly finder: WorkspaceFinder;
  readonly sealing: NotificationSealing;
  readonly sender: Sender;
  readonly trials: Trials;
  readonly metrics: OutcomeCounts<DeliveryLabels>;
}

/** @limit notification configurations of a workspace, configurations -> 422 */
const MAX_CONFIGURATIONS = 20;

type Named = Pick<NotificationConfiguration, 'id' | 'name' | 'destinationType' | 'organizationId' | 'url' | 'token'>;

/**
 * Service for notification configurations of a workspace. Requires the permission to administer the
 * workspace. An enabled configuration is verified first and stored only if the receiver responds.
 */
export class NotificationConfigurations {
  readonly #options: NotificationConfigurationsOptions;

  constructor(options: NotificationConfigurationsOptions) {
    this.#options = options;
  }

  /** Lists configurations in order of creation. @throws 404 without permission */
  async list(actor: Actor, workspaceId: string, page: Page): Promise<Slice<NotificationConfiguration>> {
    const { database, sealing } = this.#options;
    await this.#workspace(actor, workspaceId);
    const { items, total } = await store.listConfigurations(database, workspaceId, page);
    return { items: items.map((row) => store.configurationOf(row, sealing)), total };
  }

  /**
   * Finds a configuration.
   * @throws 404 if it does not exist or without permission
   */
  async find(actor: Actor, id: string): Promise<NotificationConfiguration> {
    const { database, sealing } = this.#options;
    const row = await store.findConfiguration(database, id);
    if (row === undefined) throw notFound();
    await this.#workspace(actor, row.workspaceId);
    return store.configurationOf(row, sealing);
  }

  /**
   * Creates a configuration.
   * @param origin URL of this API
   * @throws 404 without permission, 422 for invalid attributes and too many configurations, 400 if it is enabled and
   * the verification fails, 429 for too many verifications
   */
  async create(actor: Actor, workspaceId: string, input: ConfigurationInput, origin: string) {
    const { clock, database, sealing } = this.#options;
    const { organizationId } = await this.#workspace(actor, workspaceId);
    const settings = settingsOfNew(input);
    if ((await store.countConfigurations(database, workspaceId)) >= MAX_CONFIGURATIONS) throw tooMany();
    const now = clock();
    const id = prefixedId('nc', now);
    const times = { version: 1, createdAt: now, updatedAt: now };
    const made = { ...settings, ...times, id, organizationId, workspaceId, origin, responses: [] };
    const responses = needsVerification(undefined, settings) ? [await this.#verified(made)] : [];
    await database.transaction(async (tx) => {
      if ((await store.countConfigurations(tx, workspaceId)) >= MAX_CONFIGURATIONS) throw tooMany();
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
    const settings = settingsAfter(current, input);
    const next = { ...current, ...settings, origin, updatedAt: clock() };
    const response = needsVerification(current, settings) ? await this.#verified(next) : undefined;
    await database.transaction(async (tx) => {
      const kept = await store.responsesOf(tx, id);
      if (kept === undefined) throw notFound();
      const before = sealing.openedResponses(id, kept.responses);
      const responses = response === undefined ? before : withResponse(before, response);
      if (!(await store.updateConfiguration(tx, { ...next, responses }, sealing))) throw conflict(CHANGED);
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
  async verify(actor: Actor, id: string): Promise<NotificationConfiguration> {
    const { database, sealing } = this.#options;
    const sent = await this.#try(await this.find(actor, id));
    await database.transaction(async (tx) => {
      if (!(await store.addResponse(tx, id, sent.response, sealing))) throw notFound();
    });
    if (sent.outcome !== 'arrived') throw unverified(sent);
    return this.find(actor, id);
  }

  async #verified(configuration: Named): Promise<DeliveryResponse> {
    const sent = await this.#try(configuration);
    if (sent.outcome !== 'arrived') throw unverified(sent);
    return sent.response;
  }

  /** Runs outside of transactions. Takes at most as long as a delivery. */
  async #try(configuration: Named): Promise<Sent> {
    const { metrics, sender, trials } = this.#options;
    const { organizationId, url, destinationType } = configuration;
    const sent = await trials.run(organizationId, url, () => sender.send(configuration, messageOf(configuration)));
    metrics.count({ destination: destinationType, outcome: sent.outcome === 'arrived' ? 'verified' : 'not_verified' });
    return sent;
  }

  /** Organization tokens may not manage notifications. */
  async #workspace(actor: Actor, id: string): Promise<WorkspaceView> {
    const workspace = await this.#options.finder.find(actor, { id }, 'can-update');
    if (grantIn(actor, workspace.organizationId).setsUpOnly) throw notFound();
    return workspace;
  }
}

const CHANGED = 'The notification configuration was changed by another request. Read it again and repeat your change';

function tooMany(): AppError {
  return unprocessable([{ detail: `A workspace has at most ${MAX_CONFIGURATIONS} notification configurations` }]);
}

function unverified({ reason }: Sent): AppError {
  return new AppError('bad-request', `Unable to complete verification request to destination URL: ${reason}`);
}
