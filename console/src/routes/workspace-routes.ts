import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { text } from '../shell/search.ts';
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

/** The tabs of a workspace. */
export const workspaceRoutes = [overview, lockHistory, ...stateRoutes];
