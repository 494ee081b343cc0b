import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../../api/client.ts';
import { EVERY_MS } from './connection.ts';
import * as texts from './texts.ts';

export type Repository = Resources['vcs-repositories'];

/** State of the webhook of a repository, in words. */
export const HOOKS: Readonly<Record<Repository['attributes']['webhook-state'], string>> = {
  made: texts.hookMade,
  wanted: texts.hookWanted,
  manual: texts.hookManual,
  none: texts.hookNone,
  removed: texts.hookRemoved,
};

/** Signs of the health of a repository. */
export const HEALTH = {
  ok: { icon: 'ok', is: 'good' },
  gone: { icon: 'err', is: 'bad' },
  forbidden: { icon: 'err', is: 'bad' },
  unreachable: { icon: 'warn', is: 'attention' },
} as const;

/** Repositories on a page. */
export const SIZE = 50;

/** Reads a page of the repositories that workspaces follow by a connection or an installation. */
export function useRepositories(connection: string, page: number) {
  const query = { 'page[number]': String(page), 'page[size]': String(SIZE) };
  return useQuery({
    ...(connection.startsWith('ghain-')
      ? workspaces.query('GET /github-app-installations/{github_app_installation_id}/vcs-repositories', {
          path: { github_app_installation_id: connection },
          query,
        })
      : workspaces.query('GET /oauth-clients/{oauth_client_id}/vcs-repositories', {
          path: { oauth_client_id: connection },
          query,
        })),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

/** Makes the next look at a repository due now. */
export const lookNow = (id: string) =>
  workspaces.send('POST /vcs-repositories/{vcs_repository_id}/actions/look-up', { path: { vcs_repository_id: id } });
