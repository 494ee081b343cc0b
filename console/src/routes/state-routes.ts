import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { text } from '../shell/search.ts';
import { workspace } from './frame.ts';

const states = createRoute({
  getParentRoute: () => workspace,
  path: '/states',
  validateSearch: (search): { from?: string; to?: string; page?: string } => ({
    ...text(search, 'from'),
    ...text(search, 'to'),
    ...text(search, 'page'),
  }),
  component: lazyRouteComponent(() => import('../pages/states/StatesPage.tsx'), 'StatesPage'),
});

const version = createRoute({
  getParentRoute: () => workspace,
  path: '/states/$version',
  component: lazyRouteComponent(() => import('../pages/states/VersionPage.tsx'), 'VersionPage'),
});

/** What a workspace holds: its states, and what they say. */
export const stateRoutes = [states, version];
