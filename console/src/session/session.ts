import { queryOptions } from '@tanstack/react-query';
import { send } from '../api/request.ts';

/** Who is signed in to one of the two APIs. */
export interface Who {
  /** Workspace API: `user`, `team`, `organization`, `machine`, `agent`. Access API: `token`, `certificate`. */
  readonly kind: string;
  readonly name: string;
  readonly expires_at: string | null;
  /** Policies of a token of the access API, and whether one of them is `root`. */
  readonly policies?: readonly string[];
  readonly is_root?: boolean;
  /** First organizations of a user, by name. */
  readonly organizations?: readonly string[];
  readonly is_site_admin?: boolean;
}

/** Response of `GET /app/~session`. */
export interface Session {
  readonly ends_at: string | null;
  readonly access: Who | null;
  readonly workspaces: Who | null;
  readonly offers: {
    readonly access: boolean;
    readonly workspaces: boolean;
    /** URL for signing in with a certificate; absolute if another listener requests client certificates. */
    readonly certificate: string | null;
    /** Identity provider for single sign-on. */
    readonly provider: { readonly name: string; readonly address: string } | null;
    /** Whether organizations have their own providers. */
    readonly organizations: boolean;
    /** Whether passkeys work at this address, and else where; null if the server has none. */
    readonly passkeys: { readonly works: boolean; readonly address: string | null } | null;
  };
  readonly host: string;
  readonly version: string;
}

export type Side = 'access' | 'workspaces';

const ADDRESS = '/app/~session';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => send({ method: 'GET', address: ADDRESS }, signal) as Promise<Session>,
  staleTime: 60_000,
});

/** Whether the session is signed in to at least one API. */
export const isOpen = (session: Session | undefined): boolean => Boolean(session?.access ?? session?.workspaces);

/** @throws ApiError */
export function signIn(by: { readonly token: string } | { readonly certificate: true }): Promise<Session> {
  return send({ method: 'POST', address: ADDRESS, body: by }) as Promise<Session>;
}

/**
 * Ends the session in the browser and on the server.
 * @throws ApiError
 */
export async function signOut(): Promise<void> {
  await send({ method: 'DELETE', address: ADDRESS });
}
