import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isOpen, type Side, sessionQuery } from '../session/session.ts';
import { Shell } from '../shell/Shell.tsx';
import { text } from '../shell/search.ts';
import { NoSuchPlace } from '../shell/Wrong.tsx';

interface Context {
  readonly queries: QueryClient;
}

export const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NoSuchPlace });

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/~sign-in',
  validateSearch: (search): { to?: string; side?: Side; ended?: string; refused?: string } => ({
    ...text(search, 'to'),
    ...text(search, 'ended'),
    ...text(search, 'refused'),
    ...(search.side === 'access' || search.side === 'workspaces' ? { side: search.side } : {}),
  }),
  component: lazyRouteComponent(() => import('../pages/sign-in/SignInPage.tsx'), 'SignInPage'),
});

/** Page of the link of an invitation, with or without a session. */
export const invitation = createRoute({
  getParentRoute: () => root,
  path: '/~invitation',
  component: lazyRouteComponent(() => import('../pages/invitation/InvitationPage.tsx'), 'InvitationPage'),
});

/** Parent of all routes that need a session. Redirects to sign-in without one. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (!isOpen(session))
      throw redirect({ to: '/~sign-in', search: location.href === '/' ? {} : { to: location.href } });
  },
});

/** Every URL without a page, inside the frame. */
export const noSuchPlace = createRoute({ getParentRoute: () => signedIn, path: '/$', component: NoSuchPlace });

/** Pages outside of organizations begin with this sign, and no organization does. */
const isOutside = ({ organization: name }: { readonly organization: string }) => name.startsWith('~');

/** Parent of an organization's routes. Its own path redirects to the workspaces. */
export const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/$organization',
  beforeLoad: ({ params, location }) => {
    if (!isOutside(params) && /^\/[^/]+\/?$/.test(location.pathname))
      throw redirect({ to: '/$organization/workspaces', params, search: true, hash: true });
  },
  // Not in `beforeLoad`: the page for what that does not find has no frame.
  loader: ({ params }) => {
    if (isOutside(params)) throw notFound();
  },
  notFoundComponent: NoSuchPlace,
});

/** Parent of the tabs of a workspace. */
export const workspace = createRoute({
  getParentRoute: () => organization,
  path: '/workspaces/$workspace',
  component: lazyRouteComponent(() => import('../pages/workspace/WorkspacePage.tsx'), 'WorkspacePage'),
});

/** Parent of the tabs of an organization's settings. */
export const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/organization-settings/pages.ts'), 'SettingsPage'),
});
