import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { accessRoutes } from './routes/access-routes.ts';
import { accountRoute, administrationRoutes } from './routes/administration-routes.ts';
import { vcsEvent } from './routes/commit-routes.ts';
import { invitation, noSuchPlace, organization, root, signedIn, signIn, workspace } from './routes/frame.ts';
import { installationRoutes } from './routes/installation-routes.ts';
import { organizationRoutes } from './routes/organization-routes.ts';
import { policyRoutes } from './routes/policy-routes.ts';
import { runRoutes } from './routes/run-routes.ts';
import { serverRoutes } from './routes/server-routes.ts';
import { variableSetRoutes, workspaceAccessRoutes, workspaceSettingsRoutes } from './routes/settings-routes.ts';
import { workspaceRoutes } from './routes/workspace-routes.ts';
import { parseSearch, writeSearch } from './shell/search.ts';
import { Broken, NoSuchPlace } from './shell/Wrong.tsx';

const tree = root.addChildren([
  signIn,
  invitation,
  signedIn.addChildren([
    ...serverRoutes,
    ...accessRoutes,
    ...policyRoutes,
    ...installationRoutes,
    accountRoute,
    noSuchPlace,
    organization.addChildren([
      ...administrationRoutes,
      ...organizationRoutes,
      ...runRoutes,
      vcsEvent,
      ...variableSetRoutes,
      workspace.addChildren([...workspaceRoutes, ...workspaceAccessRoutes, workspaceSettingsRoutes]),
    ]),
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
