import type { Operations as AccessOperations, Schemas as AccessSchemas } from './generated/access.ts';
import type { Schemas, Operations as WorkspacesOperations } from './generated/workspaces.ts';
import { type Input, type Request, requestOf, send } from './request.ts';

/** Resources of the workspace API, by type: `Resources['workspaces']`. */
export type Resources = Schemas;
/** What the access API answers and is sent, by name: `AccessSchemas['CertRole']`. */
export type { AccessSchemas };

/** What stands in the path has to be given, the rest may be. */
type InputOf<O> = Pick<O, Extract<keyof O, 'path'>> & Partial<Pick<O, Extract<keyof O, 'query' | 'body'>>>;
type AnswerOf<O> = O extends { answer: infer A } ? A : never;

/** What `useQuery` is told: what is asked for, and by what name the answer is kept. */
export interface Query<A> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<A>;
}

/** One of the two APIs, by its own operations. */
function apiOf<Operations>(prefix: string) {
  type Name = keyof Operations & string;
  return {
    /** As it would be sent: for the foot of a page. */
    request: <O extends Name>(operation: O, input: InputOf<Operations[O]>): Request =>
      requestOf(prefix, operation, input as Input),
    /** Asks once. @throws ApiError */
    send: <O extends Name>(operation: O, input: InputOf<Operations[O]>) =>
      send(requestOf(prefix, operation, input as Input)) as Promise<AnswerOf<Operations[O]>>,
    /** For `useQuery`: asked again when it is looked at again, or when something was changed. */
    query: <O extends Name>(operation: O, input: InputOf<Operations[O]>): Query<AnswerOf<Operations[O]>> => ({
      queryKey: [prefix, operation, input],
      queryFn: ({ signal }) =>
        send(requestOf(prefix, operation, input as Input), signal) as Promise<AnswerOf<Operations[O]>>,
    }),
    /** Of all queries of one operation, or of all of this API: what a change concerns. */
    key: (operation?: Name): readonly string[] => (operation === undefined ? [prefix] : [prefix, operation]),
  };
}

export const workspaces = apiOf<WorkspacesOperations>('/api/v2');
export const access = apiOf<AccessOperations>('/v1');
