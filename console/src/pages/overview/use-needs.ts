import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { serverNow } from '../../api/clock.ts';
import type { Session } from '../../session/session.ts';
import { lockNeeds, locksQuery } from './lock-needs.tsx';
import { inOrder, type Need } from './need.ts';
import { runNeeds, runsQuery } from './run-needs.tsx';
import { tokenNeeds, tokensQuery } from './token-needs.ts';
import { useAccessNeeds } from './use-access-needs.ts';

/** Maximum number of organizations that are checked, with three requests each. */
const MOST_ORGANIZATIONS = 5;
const EVERY_MS = 30_000;

export interface Needs {
  readonly needs: readonly Need[];
  /** First query that has no response yet, or has failed. */
  readonly query: UseQueryResult<unknown> | undefined;
  readonly organizations: readonly Resources['organizations'][];
  /** Number of organizations that are not checked. */
  readonly others: number;
}

/** Items of both APIs, as far as the session has tokens for them. */
export function useNeeds(session: Session): Needs {
  const hasWorkspaces = session.workspaces !== null;
  const listed = useQuery({
    ...workspaces.query('GET /organizations', { query: { 'page[size]': String(MOST_ORGANIZATIONS) } }),
    enabled: hasWorkspaces,
  });
  const organizations = listed.data?.data ?? [];
  const names = organizations.map(({ attributes }) => attributes.name);
  const owned = organizations.flatMap(({ attributes }) =>
    attributes.permissions['can-update-api-token'] ? [attributes.name] : [],
  );
  const again = { refetchInterval: EVERY_MS };
  const runs = useQueries({ queries: names.map((name) => ({ ...runsQuery(name), ...again })) });
  const locks = useQueries({ queries: names.map((name) => ({ ...locksQuery(name), ...again })) });
  const tokens = useQueries({ queries: owned.map((name) => ({ ...tokensQuery(name), ...again })) });
  const own = useAccessNeeds(session.access !== null, again);
  const now = serverNow();
  const needs = [
    ...of(runs, names, runNeeds),
    ...of(locks, names, (name, answer) => lockNeeds(name, answer, now)),
    ...of(tokens, owned, (name, answer) => tokenNeeds(name, answer, now)),
    ...own.needs,
  ];
  const asked = [...(hasWorkspaces ? [listed] : []), ...runs, ...locks, ...tokens, ...own.queries];
  return {
    needs: inOrder(needs),
    query: asked.find(({ data }) => data === undefined) as UseQueryResult<unknown> | undefined,
    organizations,
    others: (listed.data?.meta.pagination['total-count'] ?? 0) - organizations.length,
  };
}

/** Combines the items of all loaded queries. */
function of<T>(
  queries: readonly UseQueryResult<T>[],
  names: readonly string[],
  say: (name: string, answer: T) => Need[],
): Need[] {
  return queries.flatMap(({ data }, at) => (data === undefined ? [] : say(names[at] ?? '', data)));
}
