/** Replaces what is not shown. */
export const TAKEN_OUT = '[redacted]';

const SCHEME = '[a-z][a-z\\d+.-]{1,20}:\\/\\/';
/** User name and password of a URL. */
const CREDENTIALS = new RegExp(`\\b(${SCHEME})[^\\s"'<>]{0,1024}@`, 'gi');
/** Path, query and fragment of a URL. Many collectors identify their senders by a token there. */
const BEHIND_HOST = new RegExp(
  `\\b(${SCHEME}(?:\\[redacted\\]@)?[^\\s"<>\\\\/?#]+)[/?#](?:\\[redacted\\]|[^\\s"\\\\])+`,
  'gi',
);
const ADDRESS = new RegExp(`^(${SCHEME})([^/?#]+)([/?#].+)$`, 'is');

/** Cuts each URL in a text behind its scheme, host and port. `unix:///path` has no host and stays as it is. */
export function withBareAddresses(text: string): string {
  return text.replace(CREDENTIALS, `$1${TAKEN_OUT}@`).replace(BEHIND_HOST, `$1/${TAKEN_OUT}`);
}

/**
 * Returns the part of a URL that may be shown, and the rest. Returns undefined if the text is no URL, or has nothing
 * behind its host.
 */
export function bareAddress(text: string): { readonly shown: string; readonly end: string } | undefined {
  const [, scheme, host, end] = ADDRESS.exec(text) ?? [];
  if (scheme === undefined || host === undefined || end === undefined) return undefined;
  // With a slash in the password the position of the host is unknown.
  if (end.includes('@')) return { shown: scheme + TAKEN_OUT, end: text.slice(scheme.length) };
  return { shown: `${scheme}${host.slice(host.lastIndexOf('@') + 1)}/${TAKEN_OUT}`, end };
}

/** Returns the part that may be shown of a text that may be a URL. */
export const shownAddress = (text: string): string => bareAddress(text)?.shown ?? text;
