import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../pages/audit/search.ts';
import { text } from '../shell/search.ts';
import { signedIn } from './frame.ts';

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/~server/audit',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('../pages/audit/AuditPage.tsx'), 'AuditPage'),
});

const health = createRoute({
  getParentRoute: () => signedIn,
  path: '/~server/health',
  validateSearch: (search): { last?: string } => text(search, 'last'),
  component: lazyRouteComponent(() => import('../pages/health/HealthPage.tsx'), 'HealthPage'),
});

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/~server/users',
  validateSearch: (search): { name?: string; show?: string } => ({ ...text(search, 'name'), ...text(search, 'show') }),
  component: lazyRouteComponent(() => import('../pages/users/UsersPage.tsx'), 'UsersPage'),
});

/** Routes of the server pages: `/~server/…`. */
export const installationRoutes = [audit, health, users];
