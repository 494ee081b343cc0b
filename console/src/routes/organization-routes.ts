import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readExplorerSearch } from '../pages/explorer/search.ts';
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

const explorer = createRoute({
  getParentRoute: () => organization,
  path: '/explorer',
  validateSearch: readExplorerSearch,
  component: lazyRouteComponent(() => import('../pages/explorer/ExplorerPage.tsx'), 'ExplorerPage'),
});

/** Routes of the workspace list, the explorer and the form for a new workspace. */
export const organizationRoutes = [workspaces, newWorkspace, explorer];
