import type { Operations as AccessOperations, Schemas as AccessSchemas } from './generated/access.ts';
import type { Schemas, Operations as WorkspacesOperations } from './generated/workspaces.ts';
import { type Input, type Request, requestOf, send } from './request.ts';

/** Resources of the workspace API, by type: `Resources['workspaces']`. */
export type Resources = Schemas;
/** Schemas of the access API, by name: `AccessSchemas['CertRole']`. */
export type { AccessSchemas };

/** Path parameters are required; query and body are optional. */
type InputOf<O> = Pick<O, Extract<keyof O, 'path'>> & Partial<Pick<O, Extract<keyof O, 'query' | 'body'>>>;
type AnswerOf<O> = O extends { answer: infer A } ? A : never;

/** Options for `useQuery`: the cache key and the request. */
export interface Query<A> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<A>;
}

/** Typed client of one of the two APIs, made of its operations. */
function apiOf<Operations>(prefix: string) {
  type Name = keyof Operations & string;
  return {
    /** Describes the request without sending it, for the request line at the bottom of a page. */
    request: <O extends Name>(operation: O, input: InputOf<Operations[O]>): Request =>
      requestOf(prefix, operation, input as Input),
    /**
     * Sends a request once.
     * @throws ApiError
     */
    send: <O extends Name>(operation: O, input: InputOf<Operations[O]>) =>
      send(requestOf(prefix, operation, input as Input)) as Promise<AnswerOf<Operations[O]>>,
    /** Options for `useQuery`. The query runs again when the page regains focus or a change invalidates it. */
    query: <O extends Name>(operation: O, input: InputOf<Operations[O]>): Query<AnswerOf<Operations[O]>> => ({
      queryKey: [prefix, operation, input],
      queryFn: ({ signal }) =>
        send(requestOf(prefix, operation, input as Input), signal) as Promise<AnswerOf<Operations[O]>>,
    }),
    /** Key of all queries of one operation, or of the whole API, for invalidation. */
    key: (operation?: Name): readonly string[] => (operation === undefined ? [prefix] : [prefix, operation]),
  };
}

export const workspaces = apiOf<WorkspacesOperations>('/api/v2');
export const access = apiOf<AccessOperations>('/v1');
