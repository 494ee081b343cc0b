import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedIn } from './frame.ts';

const token = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/token',
  component: lazyRouteComponent(() => import('../pages/token/TokenPage.tsx'), 'TokenPage'),
});

/** The pages of the access API: `/~access/…`. */
export const accessRoutes = [token];
