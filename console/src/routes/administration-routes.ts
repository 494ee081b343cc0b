import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { text } from '../shell/search.ts';
import { organization, settings, signedIn } from './frame.ts';
import { versionControlRoutes } from './version-control-routes.ts';

interface Pages {
  readonly page?: string;
  readonly q?: string;
  readonly status?: string;
}
const pages = (search: Readonly<Record<string, unknown>>): Pages => ({
  ...text(search, 'page'),
  ...text(search, 'q'),
  ...text(search, 'status'),
});
const under = () => organization;

const projects = createRoute({
  getParentRoute: under,
  path: '/projects',
  validateSearch: pages,
  component: lazyRouteComponent(() => import('../pages/projects/ProjectsPage.tsx'), 'ProjectsPage'),
});
const project = createRoute({
  getParentRoute: under,
  path: '/projects/$project',
  component: lazyRouteComponent(() => import('../pages/project/pages.ts'), 'ProjectPage'),
});
const ofProject = () => project;
const projectParts = [
  createRoute({
    getParentRoute: ofProject,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/project/pages.ts'), 'ProjectWorkspaces'),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/access',
    component: lazyRouteComponent(() => import('../pages/project/pages.ts'), 'ProjectAccess'),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/schedules',
    component: lazyRouteComponent(() => import('../pages/project/pages.ts'), 'ProjectSchedules'),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/settings',
    component: lazyRouteComponent(() => import('../pages/project/pages.ts'), 'ProjectSettings'),
  }),
] as const;

const teams = createRoute({
  getParentRoute: under,
  path: '/teams',
  validateSearch: pages,
  component: lazyRouteComponent(() => import('../pages/teams/TeamsPage.tsx'), 'TeamsPage'),
});
const team = createRoute({
  getParentRoute: under,
  path: '/teams/$team',
  component: lazyRouteComponent(() => import('../pages/team/TeamPage.tsx'), 'TeamPage'),
});
const pipelines = createRoute({
  getParentRoute: under,
  path: '/teams/$team/pipelines',
  validateSearch: (search): { in?: 'gitlab' | 'other' } =>
    search.in === 'gitlab' || search.in === 'other' ? { in: search.in } : {},
  component: lazyRouteComponent(() => import('../pages/team/PipelinesPage.tsx'), 'PipelinesPage'),
});
const members = createRoute({
  getParentRoute: under,
  path: '/members',
  validateSearch: pages,
  component: lazyRouteComponent(() => import('../pages/teams/MembersPage.tsx'), 'MembersPage'),
});

const agents = createRoute({
  getParentRoute: under,
  path: '/agents',
  component: lazyRouteComponent(() => import('../pages/agent-pools/AgentPoolsPage.tsx'), 'AgentPoolsPage'),
});
const pool = createRoute({
  getParentRoute: under,
  path: '/agents/$pool',
  component: lazyRouteComponent(() => import('../pages/agent-pool/AgentPoolPage.tsx'), 'AgentPoolPage'),
});

const ofSettings = () => settings;
const settingsParts = [
  createRoute({
    getParentRoute: ofSettings,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'General'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/tokens',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'TokensPart'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/retention',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'Retention'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/tags',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'TagsPart'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/run-tasks',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'RunTasks'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/notifications',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'Notifications'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'SignIn'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/ssh-keys',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'SshKeys'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/recoverable',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'Recoverable'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/capacity',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'Capacity'),
  }),
  createRoute({
    getParentRoute: ofSettings,
    path: '/deletion',
    component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'Deletion'),
  }),
] as const;

/** Routes of an organization's projects, teams, members, agents and settings. */
export const administrationRoutes = [
  projects,
  project.addChildren([...projectParts]),
  teams,
  team,
  pipelines,
  members,
  agents,
  pool,
  settings.addChildren([...settingsParts, ...versionControlRoutes]),
] as const;

/** Account page of the signed-in user. It belongs to no organization. */
export const accountRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/~account',
  component: lazyRouteComponent(() => import('../pages/account/AccountPage.tsx'), 'AccountPage'),
});
