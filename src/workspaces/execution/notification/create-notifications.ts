import { type DeliveryLoop, Sender, type SenderOptions } from '../../delivery/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Trials } from '../../platform/trials.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import type { Dependent, WorkspaceServices } from '../../workspace/index.ts';
import type { AssessmentListener } from '../lifecycle/assessment.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import { NotificationConfigurations } from './configurations.ts';
import { Deliveries, type DeliveryNote } from './deliveries.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import type { DestinationType } from './notification.ts';
import { assessmentOutbox, outbox } from './outbox.ts';
import * as queueStore from './queue-store.ts';
import { NotificationSealing } from './sealing.ts';

/** Operator settings, and the log of dropped messages. */
export interface NotificationOptions extends SenderOptions {
  readonly note?: DeliveryNote;
}

/** Services for notifications. */
export interface NotificationServices {
  readonly notificationConfigurations: NotificationConfigurations;
  readonly notificationDeliveries: DeliveryLoop<unknown>;
  readonly notificationMetrics: DeliveryMetrics;
}

const SIGNATURE_HEADER = 'x-tfe-notification-signature';

/** Creates the services and subscribes them to runs. */
export function createNotifications(
  { database, keyring, clock, report }: Platform,
  { users }: Tenancy,
  { finder, hooks }: WorkspaceServices,
  stateMachine: RunStateMachine,
  assessed: AssessmentListener[],
  trials: Trials,
  options: NotificationOptions,
): NotificationServices {
  const { note = () => {} } = options;
  const sealing = new NotificationSealing(keyring);
  const sender = new Sender(clock, SIGNATURE_HEADER, options);
  const metrics = new DeliveryMetrics();
  const parts = { database, clock, sealing, sender, metrics };
  const skipped = (destination: DestinationType) => metrics.count(destination, 'not_queued');
  stateMachine.onTransition.push(outbox(skipped));
  assessed.push(assessmentOutbox(skipped));
  hooks.dependents.push(UNTOLD);
  return {
    notificationConfigurations: new NotificationConfigurations({ ...parts, trials, finder }),
    notificationDeliveries: new Deliveries({ ...parts, users, report, note }).loop,
    notificationMetrics: metrics,
  };
}

/** A restored workspace gets its configurations back, but not the unsent messages. */
const UNTOLD: Dependent = {
  name: 'notifications',
  async detach(tx, { id }) {
    await queueStore.removeDeliveriesOfWorkspace(tx, id);
    return null;
  },
};
