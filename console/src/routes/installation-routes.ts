import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../pages/audit/search.ts';
import { signedIn } from './frame.ts';

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/~server/audit',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('../pages/audit/AuditPage.tsx'), 'AuditPage'),
});

/** The installation itself: `/~server/…`. */
export const installationRoutes = [audit];
