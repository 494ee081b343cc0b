import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { readFilters } from './pages/workspaces/filters.ts';
import { WorkspacesPage } from './pages/workspaces/WorkspacesPage.tsx';
import { isOpen, type Side, sessionQuery } from './session/session.ts';
import { Shell } from './shell/Shell.tsx';
import { parseSearch, text, writeSearch } from './shell/search.ts';
import { Broken, NoSuchPlace } from './shell/Wrong.tsx';

interface Context {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NoSuchPlace });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/~sign-in',
  validateSearch: (search): { to?: string; side?: Side; ended?: string; refused?: string } => ({
    ...text(search, 'to'),
    ...text(search, 'ended'),
    ...text(search, 'refused'),
    ...(search.side === 'access' || search.side === 'workspaces' ? { side: search.side } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/sign-in/SignInPage.tsx'), 'SignInPage'),
});

/** Everything but signing in needs somebody who is signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (!isOpen(session))
      throw redirect({ to: '/~sign-in', search: location.href === '/' ? {} : { to: location.href } });
  },
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/HomePage.tsx'), 'HomePage'),
});

const organizations = createRoute({
  getParentRoute: () => signedIn,
  path: '/~organizations',
  component: lazyRouteComponent(() => import('./pages/organizations/OrganizationsPage.tsx'), 'OrganizationsPage'),
});

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/$organization',
  beforeLoad: ({ params, location }) => {
    if (/^\/[^/]+\/?$/.test(location.pathname)) throw redirect({ to: '/$organization/workspaces', params });
  },
});

/** The first page: it is not loaded later. */
const workspaces = createRoute({
  getParentRoute: () => organization,
  path: '/workspaces',
  validateSearch: readFilters,
  component: WorkspacesPage,
});

const workspace = createRoute({
  getParentRoute: () => organization,
  path: '/workspaces/$workspace',
  component: lazyRouteComponent(() => import('./pages/workspace/WorkspacePage.tsx'), 'WorkspacePage'),
});

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/workspace/Overview.tsx'), 'Overview'),
});

const lockHistory = createRoute({
  getParentRoute: () => workspace,
  path: '/lock-history',
  validateSearch: (search): { page?: string } => text(search, 'page'),
  component: lazyRouteComponent(() => import('./pages/workspace/LockHistory.tsx'), 'LockHistory'),
});

/** As command lines print it, and as it hangs together. */
const printedRun = createRoute({
  getParentRoute: () => organization,
  path: '/$workspace/runs/$run',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$organization/workspaces/$workspace/runs/$run', params, replace: true });
  },
});
const run = createRoute({
  getParentRoute: () => organization,
  path: '/workspaces/$workspace/runs/$run',
  component: lazyRouteComponent(() => import('./pages/run/RunPage.tsx'), 'RunPage'),
});

const token = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/token',
  component: lazyRouteComponent(() => import('./pages/token/TokenPage.tsx'), 'TokenPage'),
});

const components = createRoute({
  getParentRoute: () => signedIn,
  path: '/~components',
  component: lazyRouteComponent(() => import('./pages/components/ComponentsPage.tsx'), 'ComponentsPage'),
});

const tree = root.addChildren([
  signIn,
  signedIn.addChildren([
    home,
    organizations,
    token,
    components,
    organization.addChildren([workspaces, workspace.addChildren([overview, lockHistory]), printedRun, run]),
  ]),
]);

export function consoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: '/app',
    context: { queries },
    parseSearch,
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    defaultPreloadDelay: 100,
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: NoSuchPlace,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof consoleRouter>;
  }
}
