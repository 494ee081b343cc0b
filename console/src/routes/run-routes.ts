import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readRunSearch } from '../pages/run/search.ts';
import { readRunsSearch } from '../pages/runs/search.ts';
import { organization } from './frame.ts';

/** Command-line tools print this URL. It redirects to the page below the workspace. */
const printedRun = createRoute({
  getParentRoute: () => organization,
  path: '/$workspace/runs/$run',
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/$organization/workspaces/$workspace/runs/$run',
      params,
      search: true,
      hash: true,
      replace: true,
    });
  },
});
const run = createRoute({
  getParentRoute: () => organization,
  path: '/workspaces/$workspace/runs/$run',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('../pages/run/RunPage.tsx'), 'RunPage'),
});
const runs = createRoute({
  getParentRoute: () => organization,
  path: '/runs',
  validateSearch: readRunsSearch,
  component: lazyRouteComponent(() => import('../pages/runs/RunsPage.tsx'), 'RunsPage'),
});

/** Routes of a run, at both of its URLs, and of an organization's runs. */
export const runRoutes = [printedRun, run, runs];
