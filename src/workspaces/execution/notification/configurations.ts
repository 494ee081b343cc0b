import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import { conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { Trials } from '../../platform/trials.ts';
import { type Actor, grantIn } from '../../tenancy/index.ts';
import type { WorkspaceFinder, WorkspaceView } from '../../workspace/index.ts';
import type { DeliveryResponse, Sender, Sent } from '../webhook/sender.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { messageOf } from './message.ts';
import type { NotificationConfiguration } from './notification.ts';
import * as queueStore from './queue-store.ts';
import { withResponse } from './responses.ts';
import { needsVerification, settingsAfter, settingsOfNew } from './rules.ts';
import type { ConfigurationInput } from './schema.ts';
import type { NotificationSealing } from './sealing.ts';
import * as store from './store.ts';

/** What the service works with. */
export interface NotificationConfigurationsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly finder: WorkspaceFinder;
  readonly sealing: NotificationSealing;
  readonly sender: Sender;
  readonly trials: Trials;
  readonly metrics: DeliveryMetrics;
}

/** @limit notification configurations of a workspace, configurations -> 422 */
const MAX_CONFIGURATIONS = 20;

type Named = Pick<NotificationConfiguration, 'id' | 'name' | 'destinationType' | 'organizationId' | 'url' | 'token'>;

/**
 * Who is told of the runs of a workspace (facts §6.13). All of it takes the right to administer the workspace. What is
 * switched on is tried first, and stored only when the receiver has answered.
 */
export class NotificationConfigurations {
  readonly #options: NotificationConfigurationsOptions;

  constructor(options: NotificationConfigurationsOptions) {
    this.#options = options;
  }

  /** In the order in which they were made. @throws 404 when the actor may not */
  async list(actor: Actor, workspaceId: string, page: Page): Promise<Slice<NotificationConfiguration>> {
    const { database, sealing } = this.#options;
    await this.#workspace(actor, workspaceId);
    const { items, total } = await store.listConfigurations(database, workspaceId, page);
    return { items: items.map((row) => store.configurationOf(row, sealing)), total };
  }

  /** @throws 404 when there is none, or the actor may not */
  async find(actor: Actor, id: string): Promise<NotificationConfiguration> {
    const { database, sealing } = this.#options;
    const row = await store.findConfiguration(database, id);
    if (row === undefined) throw notFound();
    await this.#workspace(actor, row.workspaceId);
    return store.configurationOf(row, sealing);
  }

  /**
   * @param origin where this API is found
   * @throws 404 when the actor may not, 422 for what breaks a rule and for too many, 400 when it is switched on and the
   * receiver does not answer as it should, 429 when too many are tried
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

  /** @throws as `create` does, and 409 when somebody else has changed it meanwhile */
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
      if (!next.enabled) await queueStore.removeDeliveries(tx, id);
    });
    return this.find(actor, id);
  }

  /** With all that was still to be told. @throws 404 when the actor may not */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.find(actor, id);
    await store.removeConfiguration(this.#options.database, id);
  }

  /** Tries it, whether it is switched on or not. What came back is kept. @throws 404, 400 and 429 as `create` does */
  async verify(actor: Actor, id: string): Promise<NotificationConfiguration> {
    const { database, sealing } = this.#options;
    const sent = await this.#try(await this.find(actor, id));
    await database.transaction(async (tx) => {
      const kept = await store.responsesOf(tx, id);
      if (kept === undefined) throw notFound();
      const responses = withResponse(sealing.openedResponses(id, kept.responses), sent.response);
      await store.setResponses(tx, id, sealing.responses(id, responses));
    });
    if (sent.outcome !== 'arrived') throw unverified(sent);
    return this.find(actor, id);
  }

  async #verified(configuration: Named): Promise<DeliveryResponse> {
    const sent = await this.#try(configuration);
    if (sent.outcome !== 'arrived') throw unverified(sent);
    return sent.response;
  }

  /** Outside of any unit of work. It takes as long as a delivery at most. */
  async #try(configuration: Named): Promise<Sent> {
    const { metrics, sender, trials } = this.#options;
    const { organizationId, url, destinationType } = configuration;
    const sent = await trials.run(organizationId, url, () => sender.send(configuration, messageOf(configuration)));
    metrics.count(destinationType, sent.outcome === 'arrived' ? 'verified' : 'not_verified');
    return sent;
  }

  /** The token of an organization sets up much, but not this (facts §5.5). */
  async #workspace(actor: Actor, id: string): Promise<WorkspaceView> {
    const workspace = await this.#options.finder.find(actor, { id }, 'can-update');
    if (grantIn(actor, workspace.organizationId).setsUpOnly) throw notFound();
    return workspace;
  }
}

const CHANGED = 'Somebody else has changed the notification configuration meanwhile: read it again';

function tooMany(): AppError {
  return unprocessable([{ detail: `A workspace has at most ${MAX_CONFIGURATIONS} notification configurations` }]);
}

function unverified({ reason }: Sent): AppError {
  return new AppError('bad-request', `Unable to complete verification request to destination URL: ${reason}`);
}
