import MailComposer from 'nodemailer/lib/mail-composer';

/** An email to some recipients. */
export interface Mail {
  /** Addresses, which were checked with `isMailAddress`. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Body as HTML, in which everything from users is escaped. */
  readonly html: string;
  /** Identifies the message at every attempt, without domain: servers and clients recognise a repeated one. */
  readonly id: string;
  /** Identifies messages of one sort, without domain: users filter by it. */
  readonly listId: string;
}

/** @limit subject of an email, characters -> the subject is cut */
export const MAX_SUBJECT = 200;

/**
 * Returns the message as bytes (RFC 5322). Several recipients do not see each other's addresses.
 * @param from sender, with or without a name
 * @param domain domain of the sender
 * @param now milliseconds since 1970
 */
export function composed(mail: Mail, from: string, domain: string, now: number): Promise<Buffer> {
  const [first, ...others] = mail.to;
  const composer = new MailComposer({
    from,
    to: first !== undefined && others.length === 0 ? { name: '', address: first } : 'undisclosed-recipients:;',
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${domain}>`,
    date: new Date(now),
    headers: {
      // RFC 3834: no automatic replies. RFC 2919: identifies the list.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-Id': `<${mail.listId}.${domain}>`,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  });
  return new Promise((resolve, reject) => {
    composer.compile().build((error, message) => (error ? reject(error) : resolve(message as Buffer)));
  });
}
