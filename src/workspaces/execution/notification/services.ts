import type { Clock } from '../../../lib/clock.ts';
import type { Database, Keyring } from '../../../storage/index.ts';
import type { Users } from '../../tenancy/user/users.ts';
import type { Belonging, WorkspaceExtensions } from '../../workspace/hooks.ts';
import type { WorkspaceFinder } from '../../workspace/workspace/finder.ts';
import type { RunProgress } from '../run/progress.ts';
import { NotificationConfigurations } from './configurations.ts';
import { Deliveries, type DeliveryNote } from './deliveries.ts';
import { DeliveryFigures } from './figures.ts';
import { outbox } from './outbox.ts';
import * as queueStore from './queue-store.ts';
import { NotificationSealing } from './sealing.ts';
import { Sender, type SenderOptions } from './sender.ts';

/** What an operator sets, and who is told of what was given up. */
export interface NotificationOptions extends SenderOptions {
  readonly note?: DeliveryNote;
}

/** What notifications stand on. */
export interface NotificationServicesOptions extends NotificationOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly users: Users;
  readonly finder: WorkspaceFinder;
  readonly extensions: WorkspaceExtensions;
  readonly runProgress: RunProgress;
  readonly report: (error: unknown) => void;
}

/** Who is told of runs, and the telling. */
export interface NotificationServices {
  readonly notificationConfigurations: NotificationConfigurations;
  readonly notificationDeliveries: Deliveries;
  readonly notificationFigures: DeliveryFigures;
}

/** Puts them together, and lets them hear of runs. */
export function createNotifications(options: NotificationServicesOptions): NotificationServices {
  const { database, keyring, clock, users, finder, report, note = () => {} } = options;
  const sealing = new NotificationSealing(keyring);
  const sender = new Sender(clock, options);
  const figures = new DeliveryFigures();
  const parts = { database, clock, sealing, sender, figures };
  options.runProgress.stepped.push(outbox((destination) => figures.count(destination, 'not_queued')));
  options.extensions.belongings.push(UNTOLD);
  return {
    notificationConfigurations: new NotificationConfigurations({ ...parts, finder }),
    notificationDeliveries: new Deliveries({ ...parts, users, report, note }),
    notificationFigures: figures,
  };
}

/** The configurations of a deleted workspace come back with it; what was still to be told does not. */
const UNTOLD: Belonging = {
  name: 'notifications',
  async detach(tx, { id }) {
    await queueStore.emptyOfWorkspace(tx, id);
    return null;
  },
};
