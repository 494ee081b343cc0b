import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readFilters } from '../pages/workspaces/filters.ts';
import { WorkspacesPage } from '../pages/workspaces/WorkspacesPage.tsx';
import { organization } from './frame.ts';

/** The first page: it is not loaded later. */
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

/** What belongs to an organization, but its workspaces and runs. */
export const organizationRoutes = [workspaces, newWorkspace];
