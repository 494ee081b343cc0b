import type { Shown } from '../output/output.ts';
import { printable } from '../output/printable.ts';

/** Returns the path with its prefix: `auth/cert/certs/web` and `/v1/auth/cert/certs/web` are equal. */
export function accessPath(path: string, query: Readonly<Record<string, string>> = {}): string {
  const bare = path.replace(/^\/?(v1\/)?/, '').replace(/^\/+/, '');
  const text = new URLSearchParams(query).toString();
  return `/v1/${bare.split('/').map(encoded).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Keeps parts that are already percent-encoded. */
function encoded(part: string): string {
  return /%[0-9a-f]{2}/i.test(part) ? part : encodeURIComponent(part);
}

/** Returns the content of a response envelope: data, a token, or a wrapped response. */
export function shownEnvelope(body: unknown): Shown {
  const { data, auth, wrap_info: wrapInfo } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const keys = (data as { keys?: unknown } | null | undefined)?.keys;
  return { whole: body, brief: (Array.isArray(keys) ? keys : data) ?? auth ?? wrapInfo ?? undefined };
}

/** Prints the warnings of a response to standard error, so that programs can still parse standard output. */
export function showWarnings(body: unknown): void {
  const { warnings } = (body ?? {}) as { readonly warnings?: readonly string[] | null };
  for (const warning of warnings ?? []) process.stderr.write(`warning: ${printable(warning)}\n`);
}
