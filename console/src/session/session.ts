import { queryOptions } from '@tanstack/react-query';
import { send } from '../api/request.ts';

/** Who is signed in to one of the two APIs. */
export interface Who {
  /** `user`, `team`, `organization`, `machine`, `agent`; of the access API `token`, `certificate`. */
  readonly kind: string;
  readonly name: string;
  readonly expires_at: string | null;
}

/** `GET /app/~session` */
export interface Session {
  readonly ends_at: string | null;
  readonly access: Who | null;
  readonly workspaces: Who | null;
  readonly offers: {
    readonly access: boolean;
    readonly workspaces: boolean;
    /** Where to sign in by certificate; a whole address where another listener asks for it. */
    readonly certificate: string | null;
    /** Where people are sent who sign in elsewhere. */
    readonly provider: { readonly name: string; readonly address: string } | null;
    /** Whether organizations have providers of their own. */
    readonly organizations: boolean;
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

/** Whether anybody is signed in. */
export const isOpen = (session: Session | undefined): boolean => Boolean(session?.access ?? session?.workspaces);

/** @throws ApiError */
export function signIn(by: { readonly token: string } | { readonly certificate: true }): Promise<Session> {
  return send({ method: 'POST', address: ADDRESS, body: by }) as Promise<Session>;
}

/** Ends the session on the server too. @throws ApiError */
export async function signOut(): Promise<void> {
  await send({ method: 'DELETE', address: ADDRESS });
}
