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

const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'WorkspaceSettingsPage'),
});

const general = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'General'),
});

const versionControl = createRoute({
  getParentRoute: () => settings,
  path: '/version-control',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'VersionControl'),
});

const notifications = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'Notifications'),
});

const approvals = createRoute({
  getParentRoute: () => settings,
  path: '/approvals',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'Approvals'),
});

const runTriggers = createRoute({
  getParentRoute: () => settings,
  path: '/run-triggers',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'RunTriggers'),
});

const runTasks = createRoute({
  getParentRoute: () => settings,
  path: '/run-tasks',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'RunTasks'),
});

const schedules = createRoute({
  getParentRoute: () => settings,
  path: '/schedules',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'Schedules'),
});

const stateSharing = createRoute({
  getParentRoute: () => settings,
  path: '/state-sharing',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'StateSharing'),
});

const tags = createRoute({
  getParentRoute: () => settings,
  path: '/tags',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'Tags'),
});

const retention = createRoute({
  getParentRoute: () => settings,
  path: '/retention',
  component: lazyRouteComponent(() => import('../pages/workspace-settings/pages.ts'), 'Retention'),
});

/** Routes of variable sets. */
export const variableSetRoutes = [variableSets, variableSet];

/** Route of a workspace's access page. */
export const workspaceAccessRoutes = [access];

/** Routes of a workspace's settings. */
export const workspaceSettingsRoutes = settings.addChildren([
  general,
  versionControl,
  notifications,
  approvals,
  runTriggers,
  runTasks,
  schedules,
  stateSharing,
  tags,
  retention,
]);
