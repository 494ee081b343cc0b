import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { text } from '../shell/search.ts';
import { workspace } from './frame.ts';

const access = createRoute({
  getParentRoute: () => workspace,
  path: '/access',
  validateSearch: (search): { user?: string; team?: string } => {
    const user = text(search, 'user');
    return 'user' in user ? user : text(search, 'team');
  },
  component: lazyRouteComponent(() => import('../pages/workspace-access/AccessPage.tsx'), 'AccessPage'),
});

/** Who may do what with a workspace. */
export const workspaceAccessRoutes = [access];
