import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readRunSearch } from '../pages/run/search.ts';
import { readRunsSearch } from '../pages/runs/search.ts';
import { organization } from './frame.ts';

/** As command lines print it, and as it hangs together. */
const printedRun = createRoute({
  getParentRoute: () => organization,
  path: '/$workspace/runs/$run',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$organization/workspaces/$workspace/runs/$run', params, replace: true });
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

/** A run, at both of its addresses, and those of an organization. */
export const runRoutes = [printedRun, run, runs];
