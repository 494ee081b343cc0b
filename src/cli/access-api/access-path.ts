import type { Shown } from '../output/output.ts';
import { printable } from '../output/printable.ts';

/** `auth/cert/certs/web` and `/v1/auth/cert/certs/web` are the same. */
export function accessPath(path: string, query: Readonly<Record<string, string>> = {}): string {
  const bare = path.replace(/^\/?(v1\/)?/, '').replace(/^\/+/, '');
  const text = new URLSearchParams(query).toString();
  return `/v1/${bare.split('/').map(encoded).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** A part that is encoded already stays as it is. */
function encoded(part: string): string {
  return /%[0-9a-f]{2}/i.test(part) ? part : encodeURIComponent(part);
}

/** What an envelope of the access API holds: the data, a token, or a wrapped answer. */
export function shownEnvelope(body: unknown): Shown {
  const { data, auth, wrap_info: wrapInfo } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const keys = (data as { keys?: unknown } | null | undefined)?.keys;
  return { whole: body, brief: (Array.isArray(keys) ? keys : data) ?? auth ?? wrapInfo ?? undefined };
}

/** What the server wants to be heard, where it does not stand in the way of a program that reads the answer. */
export function showWarnings(body: unknown): void {
  const { warnings } = (body ?? {}) as { readonly warnings?: readonly string[] | null };
  for (const warning of warnings ?? []) process.stderr.write(`warning: ${printable(warning)}\n`);
}
