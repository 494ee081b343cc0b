import { useEffect, useSyncExternalStore } from 'react';
import type { Request } from '../../api/request.ts';

/** The request behind the current page. */
export interface PathLine {
  readonly request: Request;
  /** Equivalent `lockkeeper` command: `lockkeeper workspace list --org acme`. */
  readonly command?: string | undefined;
}

let current: PathLine | undefined;
const listeners = new Set<() => void>();

function show(line: PathLine | undefined): void {
  current = line;
  for (const listener of listeners) listener();
}

/** Sets the request that the bottom line shows. */
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

/** Returns the equivalent curl command. It expects the user's token in `$TOKEN`. */
export function curlOf({ method, address, body }: Request, origin: string): string {
  const type = address.startsWith('/api/') ? 'application/vnd.api+json' : 'application/json';
  return [
    `curl -H "Authorization: Bearer $TOKEN"`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(body === undefined ? [] : [`-H ${quoted(`Content-Type: ${type}`)} -d ${quoted(JSON.stringify(body))}`]),
    // curl would expand brackets without `-g`.
    ...(/[[\]{}]/.test(address) ? ['-g'] : []),
    quoted(`${origin}${address}`),
  ].join(' ');
}

/** Quotes a text as one word for a POSIX shell. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
