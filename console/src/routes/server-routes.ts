import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedIn } from './frame.ts';

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home/HomePage.tsx'), 'HomePage'),
});

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/~overview',
  component: lazyRouteComponent(() => import('../pages/overview/OverviewPage.tsx'), 'OverviewPage'),
});

const guide = createRoute({
  getParentRoute: () => signedIn,
  path: '/~guide',
  component: lazyRouteComponent(() => import('../pages/guide/GuidePage.tsx'), 'GuidePage'),
});

const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: '/~welcome',
  component: lazyRouteComponent(() => import('../pages/welcome/WelcomePage.tsx'), 'WelcomePage'),
});

const organizations = createRoute({
  getParentRoute: () => signedIn,
  path: '/~organizations',
  component: lazyRouteComponent(() => import('../pages/organizations/OrganizationsPage.tsx'), 'OrganizationsPage'),
});

const components = createRoute({
  getParentRoute: () => signedIn,
  path: '/~components',
  component: lazyRouteComponent(() => import('../pages/components/ComponentsPage.tsx'), 'ComponentsPage'),
});

/** Routes of pages that belong to no organization. */
export const serverRoutes = [home, overview, guide, welcome, organizations, components];
