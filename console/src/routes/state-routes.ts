import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { text } from '../shell/search.ts';
import { workspace } from './frame.ts';

const states = createRoute({
  getParentRoute: () => workspace,
  path: '/states',
  validateSearch: (search): { from?: string; to?: string; page?: string; resource?: string; output?: string } => ({
    ...text(search, 'from'),
    ...text(search, 'to'),
    ...text(search, 'page'),
    ...text(search, 'resource'),
    ...text(search, 'output'),
  }),
  component: lazyRouteComponent(() => import('../pages/states/pages.ts'), 'StatesPage'),
});

const version = createRoute({
  getParentRoute: () => workspace,
  path: '/states/$version',
  component: lazyRouteComponent(() => import('../pages/states/pages.ts'), 'VersionPage'),
});

const resources = createRoute({
  getParentRoute: () => workspace,
  path: '/resources',
  validateSearch: (
    search,
  ): {
    q?: string;
    module?: string;
    provider?: string;
    type?: string;
    view?: string;
    since?: string;
    resource?: string;
  } => ({
    ...text(search, 'q'),
    ...text(search, 'module'),
    ...text(search, 'provider'),
    ...text(search, 'type'),
    ...text(search, 'view'),
    ...text(search, 'since'),
    ...text(search, 'resource'),
  }),
  component: lazyRouteComponent(() => import('../pages/resources/ResourcesPage.tsx'), 'ResourcesPage'),
});

const outputs = createRoute({
  getParentRoute: () => workspace,
  path: '/outputs',
  validateSearch: (search): { page?: string } => text(search, 'page'),
  component: lazyRouteComponent(() => import('../pages/outputs/OutputsPage.tsx'), 'OutputsPage'),
});

const configurations = createRoute({
  getParentRoute: () => workspace,
  path: '/configurations',
  validateSearch: (search): { page?: string } => text(search, 'page'),
  component: lazyRouteComponent(() => import('../pages/configurations/ConfigurationsPage.tsx'), 'ConfigurationsPage'),
});

/** Routes of a workspace's state versions, resources, outputs and configuration versions. */
export const stateRoutes = [states, version, resources, outputs, configurations];
