import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
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
  component: lazyRouteComponent(() => import('../pages/run/RunPage.tsx'), 'RunPage'),
});

/** A run, at both of its addresses. */
export const runRoutes = [printedRun, run];
