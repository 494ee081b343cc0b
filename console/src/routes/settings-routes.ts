import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { text } from '../shell/search.ts';
import { organization, workspace } from './frame.ts';

const access = createRoute({
  getParentRoute: () => workspace,
  path: '/access',
  validateSearch: (search): { user?: string; team?: string } => {
    const user = text(search, 'user');
    return 'user' in user ? user : text(search, 'team');
  },
  component: lazyRouteComponent(() => import('../pages/workspace-access/AccessPage.tsx'), 'AccessPage'),
});

const variableSets = createRoute({
  getParentRoute: () => organization,
  path: '/variable-sets',
  validateSearch: (search): { q?: string; page?: string } => ({ ...text(search, 'q'), ...text(search, 'page') }),
  component: lazyRouteComponent(() => import('../pages/variable-sets/VariableSetsPage.tsx'), 'VariableSetsPage'),
});

const variableSet = createRoute({
  getParentRoute: () => organization,
  path: '/variable-sets/$set',
  validateSearch: (search): { page?: string } => text(search, 'page'),
  component: lazyRouteComponent(() => import('../pages/variable-set/VariableSetPage.tsx'), 'VariableSetPage'),
});

/** Variables that workspaces share. */
export const variableSetRoutes = [variableSets, variableSet];

/** Who may do what with a workspace. */
export const workspaceAccessRoutes = [access];
