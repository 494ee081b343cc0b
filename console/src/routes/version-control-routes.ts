import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSteps } from '../pages/organization-settings/version-control/connect/steps.ts';
import { readEvents } from '../pages/organization-settings/version-control/events.ts';
import { settings } from './frame.ts';

const getParentRoute = () => settings;

/** Routes of version control, which are parts of the settings of an organization. */
export const versionControlRoutes = [
  createRoute({
    getParentRoute,
    path: '/version-control',
    component: lazyRouteComponent(
      () => import('../pages/organization-settings/version-control/pages.ts'),
      'ConnectionsPart',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/version-control/new',
    validateSearch: readSteps,
    component: lazyRouteComponent(
      () => import('../pages/organization-settings/version-control/pages.ts'),
      'ConnectPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/version-control/events',
    validateSearch: readEvents,
    component: lazyRouteComponent(
      () => import('../pages/organization-settings/version-control/pages.ts'),
      'EventsPart',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/version-control/pull-requests',
    component: lazyRouteComponent(
      () => import('../pages/organization-settings/version-control/pages.ts'),
      'PullRequestsPart',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/version-control/$connection',
    component: lazyRouteComponent(
      () => import('../pages/organization-settings/version-control/pages.ts'),
      'OneConnection',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/version-control/repositories/$repository',
    component: lazyRouteComponent(
      () => import('../pages/organization-settings/version-control/pages.ts'),
      'RepositoryPart',
    ),
  }),
] as const;
