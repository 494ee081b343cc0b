import type { Mailer } from '../../../mail/index.ts';
import type { Queries } from '../../../storage/index.ts';
import { recipientsOf } from './mail/recipients.ts';
import type { Listening } from './queue-store.ts';
import type { NotificationSealing } from './sealing.ts';

/** How receivers are compared. */
export interface Receivers {
  readonly sealing: NotificationSealing;
  /** SMTP server; undefined if the operator has configured none. */
  readonly mailer: Mailer | undefined;
}

/** Configuration that gets a message. */
export interface Receiver {
  readonly configuration: Listening;
  /** Keys of the recipients of an email. */
  readonly to?: readonly string[];
}

/**
 * Returns the configurations that get one event, so that each receiver gets it once: a URL in one format, or an address.
 * The first configuration wins.
 */
export async function receiversOnce(
  db: Queries,
  configurations: readonly Listening[],
  { mailer, sealing }: Receivers,
): Promise<Receiver[]> {
  const seen = new Set<string>();
  const isNew = (receiver: string) => !seen.has(receiver) && seen.add(receiver) !== undefined;
  const receivers: Receiver[] = [];
  for (const configuration of configurations) {
    const { destinationType, id, url } = configuration;
    if (destinationType !== 'email') {
      // One configuration has nothing to be compared with.
      const key = configurations.length === 1 ? '' : `${destinationType} ${sealing.openedUrl(id, url)}`;
      if (isNew(key)) receivers.push({ configuration });
      continue;
    }
    if (mailer === undefined) continue;
    const list = {
      ...configuration,
      emailUsers: JSON.parse(configuration.emailUsers) as string[],
      emailAddresses: JSON.parse(configuration.emailAddresses) as string[],
    };
    const recipients = await recipientsOf(db, mailer, list);
    const to = recipients.filter(({ address }) => isNew(address.toLowerCase())).map(({ key }) => key);
    if (to.length > 0) receivers.push({ configuration, to });
  }
  return receivers;
}
