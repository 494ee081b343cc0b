import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readFilters } from '../pages/workspaces/filters.ts';
import { WorkspacesPage } from '../pages/workspaces/WorkspacesPage.tsx';
import { organization } from './frame.ts';

/** Most frequent first page, and therefore part of the initial bundle. */
const workspaces = createRoute({
  getParentRoute: () => organization,
  path: '/workspaces',
  validateSearch: readFilters,
  component: WorkspacesPage,
});

const newWorkspace = createRoute({
  getParentRoute: () => organization,
  path: '/workspaces/~new',
  component: lazyRouteComponent(() => import('../pages/new-workspace/NewWorkspacePage.tsx'), 'NewWorkspacePage'),
});

/** Routes of the workspace list and the form for a new workspace. */
export const organizationRoutes = [workspaces, newWorkspace];
