/** In place of what is not shown. */
export const TAKEN_OUT = '[taken out]';

const SCHEME = '[a-z][a-z\\d+.-]{1,20}:\\/\\/';
/** Name and password of an address. */
const CREDENTIALS = new RegExp(`\\b(${SCHEME})[^\\s"'<>]{0,1024}@`, 'gi');
/** What is behind its host: many a collector knows its senders by a token there. */
const BEHIND_HOST = new RegExp(
  `\\b(${SCHEME}(?:\\[taken out\\]@)?[^\\s"<>\\\\/?#]+)[/?#](?:\\[taken out\\]|[^\\s"\\\\])+`,
  'gi',
);
const ADDRESS = new RegExp(`^(${SCHEME})([^/?#]+)([/?#].+)$`, 'is');

/** A text in which each address ends behind its scheme, host and port. `unix:///path` has no host, and stays. */
export function withBareAddresses(text: string): string {
  return text.replace(CREDENTIALS, `$1${TAKEN_OUT}@`).replace(BEHIND_HOST, `$1/${TAKEN_OUT}`);
}

/**
 * What is shown of a text that is one address, whatever is in it, and what is behind its host. Undefined for a text that is none, or has
 * nothing there.
 */
export function bareAddress(text: string): { readonly shown: string; readonly end: string } | undefined {
  const [, scheme, host, end] = ADDRESS.exec(text) ?? [];
  if (scheme === undefined || host === undefined || end === undefined) return undefined;
  // A slash in a password: where the host is, nobody knows.
  if (end.includes('@')) return { shown: scheme + TAKEN_OUT, end: text.slice(scheme.length) };
  return { shown: `${scheme}${host.slice(host.lastIndexOf('@') + 1)}/${TAKEN_OUT}`, end };
}

/** What is shown of a text that may be an address. */
export const shownAddress = (text: string): string => bareAddress(text)?.shown ?? text;
