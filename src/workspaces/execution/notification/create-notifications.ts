import { type Delivery, type DeliveryLoop, OutcomeCounts } from '../../delivery/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Trials } from '../../platform/trials.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import type { Dependent, WorkspaceServices } from '../../workspace/index.ts';
import type { AssessmentListener } from '../lifecycle/assessment.ts';
import type { RunEffect } from '../run/run-effect.ts';
import { NotificationConfigurations } from './configurations.ts';
import { Deliveries } from './deliveries.ts';
import type { DeliveryLabels, DestinationType } from './notification.ts';
import { assessmentOutbox, outbox, workspaceOutbox } from './outbox.ts';
import * as queueStore from './queue-store.ts';
import { NotificationSealing } from './sealing.ts';

/** Services for notifications. */
export interface NotificationServices {
  readonly notificationConfigurations: NotificationConfigurations;
  readonly notificationDeliveries: DeliveryLoop<unknown>;
  readonly notificationMetrics: OutcomeCounts<DeliveryLabels>;
  /** Stores the messages about a run. */
  readonly notificationOutbox: RunEffect['run'];
  /** Stores the messages about a finished assessment. */
  readonly assessmentOutbox: AssessmentListener;
  /** Stores the messages about a workspace as a whole. */
  readonly workspaceNews: ReturnType<typeof workspaceOutbox>;
}

const SIGNATURE_HEADER = 'x-tfe-notification-signature';

/** Creates the services. */
export function createNotifications(
  { database, keyring, clock }: Platform,
  { users }: Tenancy,
  { finder }: WorkspaceServices,
  trials: Trials,
  delivery: Delivery,
): NotificationServices {
  const sealing = new NotificationSealing(keyring);
  const sender = delivery.sender(SIGNATURE_HEADER);
  const metrics = new OutcomeCounts<DeliveryLabels>();
  const parts = { sealing, sender, metrics };
  const skipped = (destination: DestinationType) => metrics.count({ destination, outcome: 'not_queued' });
  return {
    notificationConfigurations: new NotificationConfigurations({ ...parts, database, clock, trials, finder }),
    notificationDeliveries: delivery.add(new Deliveries({ ...parts, database, users, note: delivery.note })),
    notificationMetrics: metrics,
    notificationOutbox: outbox(skipped),
    assessmentOutbox: assessmentOutbox(skipped),
    workspaceNews: workspaceOutbox(skipped),
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
