import type { Form } from './form.ts';
import { type HostBase, hostBase, isHostName, isWithinHost } from './host-name.ts';

/** The local part is case-sensitive; the host is in lower case. */
interface Mailbox {
  readonly local: string;
  readonly host: string;
}

/** A mailbox, or all mailboxes of a host or (`.host`) of every host below it. */
type EmailBase = Mailbox | HostBase;

export const emailForm: Form<Mailbox, EmailBase> = {
  type: 'email',
  name: (name) => (name.type === 'email' ? mailbox(name.value) : undefined),
  base: (base) => (base.type === 'email' ? emailBase(base.value) : undefined),
  isWithin: (name, base) =>
    'local' in base ? name.local === base.local && name.host === base.host : isWithinHost(name.host, base),
};

function emailBase(text: string): EmailBase | undefined {
  return text.includes('@') ? mailbox(text) : hostBase(text);
}

/** Printable ASCII without quotes and @. Quoted local parts are refused, because they have many spellings. */
const LOCAL_PART = /^[\x21\x23-\x3f\x41-\x7e]+$/;

function mailbox(text: string): Mailbox | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const host = text.slice(at + 1);
  return LOCAL_PART.test(local) && isHostName(host) ? { local, host: host.toLowerCase() } : undefined;
}
