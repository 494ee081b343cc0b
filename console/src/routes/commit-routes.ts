import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readCommitsSearch } from '../pages/workspace-commits/search.ts';
import { text } from '../shell/search.ts';
import { organization, workspace } from './frame.ts';

/** Commits of a workspace, and why they started runs or not. */
export const commits = createRoute({
  getParentRoute: () => workspace,
  path: '/commits',
  validateSearch: readCommitsSearch,
  component: lazyRouteComponent(() => import('../pages/workspace-commits/CommitsPage.tsx'), 'CommitsPage'),
});

/** One event of a repository. The server writes this URL into the statuses of commits. */
export const vcsEvent = createRoute({
  getParentRoute: () => organization,
  path: '/vcs-events/$event',
  validateSearch: (search): { page?: string } => text(search, 'page'),
  component: lazyRouteComponent(() => import('../pages/vcs-event/EventPage.tsx'), 'EventPage'),
});
