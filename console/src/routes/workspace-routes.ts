import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readRunsSearch } from '../pages/runs/search.ts';
import { text } from '../shell/search.ts';
import { commits } from './commit-routes.ts';
import { workspace } from './frame.ts';
import { stateRoutes } from './state-routes.ts';

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/workspace/Overview.tsx'), 'Overview'),
});

const lockHistory = createRoute({
  getParentRoute: () => workspace,
  path: '/lock-history',
  validateSearch: (search): { page?: string } => text(search, 'page'),
  component: lazyRouteComponent(() => import('../pages/workspace/LockHistory.tsx'), 'LockHistory'),
});

const runs = createRoute({
  getParentRoute: () => workspace,
  path: '/runs',
  validateSearch: readRunsSearch,
  component: lazyRouteComponent(() => import('../pages/runs/WorkspaceRuns.tsx'), 'WorkspaceRuns'),
});

const variables = createRoute({
  getParentRoute: () => workspace,
  path: '/variables',
  validateSearch: (search): { name?: string } => text(search, 'name'),
  component: lazyRouteComponent(() => import('../pages/variables/VariablesPage.tsx'), 'VariablesPage'),
});

/** Routes of the tabs of a workspace. */
export const workspaceRoutes = [overview, runs, commits, ...stateRoutes, variables, lockHistory];
