import type { NotificationConfiguration } from './notification.ts';
import { STORED_TRIGGERS } from './notification.ts';

const NO_MAIL =
  'No email is sent, because this server has no SMTP server. The operator can configure one with the setting smtp.';
const NO_RECIPIENTS = 'No email is sent, because the configuration has no recipients.';

/**
 * Returns what of a configuration has no effect, in words; null if everything has.
 * @param sendsMail whether the operator has configured an SMTP server
 */
export function noticeOf(
  configuration: Pick<NotificationConfiguration, 'destinationType' | 'triggers' | 'emailUsers' | 'emailAddresses'>,
  sendsMail: boolean,
): string | null {
  const { destinationType, emailAddresses, emailUsers, triggers } = configuration;
  const stored = triggers.filter((trigger) => (STORED_TRIGGERS as readonly string[]).includes(trigger));
  const notices = [
    ...(destinationType === 'email' && !sendsMail ? [NO_MAIL] : []),
    ...(destinationType === 'email' && emailUsers.length + emailAddresses.length === 0 ? [NO_RECIPIENTS] : []),
    ...stored.map((trigger) => `The trigger ${trigger} never fires, because this server has no change requests.`),
  ];
  return notices.length === 0 ? null : notices.join(' ');
}
