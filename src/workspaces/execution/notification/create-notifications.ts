import { type Delivery, type DeliveryLoop, OutcomeCounts } from '../../delivery/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Trials } from '../../platform/trials.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import type { Dependent, WorkspaceServices } from '../../workspace/index.ts';
import type { AssessmentListener } from '../lifecycle/assessment.ts';
import type { RunEffect } from '../run/run-effect.ts';
import { NotificationConfigurations } from './configurations.ts';
import { type ApprovalsOf, Deliveries, EMAIL_QUEUE, URL_QUEUE } from './deliveries.ts';
import { Digests } from './digest/digests.ts';
import { MailDelivery } from './mail/delivery.ts';
import type { DeliveryLabels, DestinationType } from './notification.ts';
import { assessmentOutbox, outbox, workspaceOutbox } from './outbox.ts';
import * as queueStore from './queue-store.ts';
import { NotificationSealing } from './sealing.ts';
import { Subscribables } from './subscribables.ts';
import { Verification } from './verification.ts';

/** Services for notifications. */
export interface NotificationServices {
  readonly notificationConfigurations: NotificationConfigurations;
  readonly notificationDeliveries: DeliveryLoop<unknown>;
  readonly emailDeliveries: DeliveryLoop<unknown>;
  readonly notificationMetrics: OutcomeCounts<DeliveryLabels>;
  /** Stores the messages about a run. */
  readonly notificationOutbox: RunEffect['run'];
  /** Stores the messages about a finished assessment. */
  readonly assessmentOutbox: AssessmentListener;
  /** Stores the messages about a workspace as a whole. */
  readonly workspaceNews: ReturnType<typeof workspaceOutbox>;
  /** Stores the daily digests that are due. */
  readonly digests: Digests;
}

const SIGNATURE_HEADER = 'x-tfe-notification-signature';

/**
 * Creates the services.
 * @param approvals approvals of a run, which messages show
 */
export function createNotifications(
  { database, keyring, clock }: Platform,
  { organizations, projects, teams, users }: Tenancy,
  { finder }: WorkspaceServices,
  trials: Trials,
  delivery: Delivery,
  approvals: ApprovalsOf = async () => undefined,
): NotificationServices {
  const { mailer, note } = delivery;
  const sealing = new NotificationSealing(keyring);
  const sender = delivery.sender(SIGNATURE_HEADER);
  const metrics = new OutcomeCounts<DeliveryLabels>();
  const mail = new MailDelivery({ database, clock, mailer });
  const skipped = (destination: DestinationType) => metrics.count({ destination, outcome: 'not_queued' });
  const sending = { sealing, sender, metrics, mail, database, users, approvals, note };
  const outboxOptions = { sealing, mailer, skipped };
  return {
    notificationConfigurations: new NotificationConfigurations({
      ...{ database, clock, sealing, mailer, teams },
      subscribables: new Subscribables({ finder, organizations, projects, teams }),
      verification: new Verification({ sender, mail, trials, metrics }),
    }),
    notificationDeliveries: delivery.add(new Deliveries({ ...sending, queue: URL_QUEUE })),
    emailDeliveries: delivery.add(new Deliveries({ ...sending, queue: EMAIL_QUEUE })),
    notificationMetrics: metrics,
    notificationOutbox: outbox(outboxOptions),
    assessmentOutbox: assessmentOutbox(outboxOptions),
    workspaceNews: workspaceOutbox(outboxOptions),
    digests: new Digests({ clock, skipped }),
  };
}

/** A restored workspace gets its configurations back, but not the unsent messages. */
export const UNSENT_MESSAGES: Dependent = {
  name: 'notifications',
  async detach(tx, { id }) {
    await queueStore.clearWorkspace(tx, id);
    return null;
  },
};
