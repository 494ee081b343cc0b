import { useEffect, useSyncExternalStore } from 'react';
import type { Request } from '../../api/request.ts';

/** What filled the page in view. */
export interface PathLine {
  readonly request: Request;
  /** The same by our own command line: `lockkeeper workspace list --org acme`. */
  readonly command?: string | undefined;
}

let current: PathLine | undefined;
const listeners = new Set<() => void>();

function show(line: PathLine | undefined): void {
  current = line;
  for (const listener of listeners) listener();
}

/** Says at the foot of the page which request filled it. */
export function usePathLine(line: PathLine): void {
  const { request, command } = line;
  const { method, address } = request;
  useEffect(() => {
    const shown = { request: { method, address }, command };
    show(shown);
    return () => {
      if (current === shown) show(undefined);
    };
  }, [method, address, command]);
}

export function useCurrentPathLine(): PathLine | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** What does the same from a shell, by a token of whoever types it. */
export function curlOf({ method, address, body }: Request, origin: string): string {
  const type = address.startsWith('/api/') ? 'application/vnd.api+json' : 'application/json';
  return [
    `curl -H "Authorization: Bearer $TOKEN"`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(body === undefined ? [] : [`-H ${quoted(`Content-Type: ${type}`)} -d ${quoted(JSON.stringify(body))}`]),
    // Brackets mean something to curl.
    ...(/[[\]{}]/.test(address) ? ['-g'] : []),
    quoted(`${origin}${address}`),
  ].join(' ');
}

/** A text that a shell takes as one word. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
