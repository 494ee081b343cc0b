import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readView } from '../pages/machine-identities/view.ts';
import { text } from '../shell/search.ts';
import { signedIn } from './frame.ts';

interface OfMount {
  /** Mount path below `auth/`; `cert` by default. */
  readonly mount?: string;
}

const token = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/token',
  component: lazyRouteComponent(() => import('../pages/token/TokenPage.tsx'), 'TokenPage'),
});

const inspect = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/inspect',
  validateSearch: (search): OfMount & { role?: string } => ({ ...text(search, 'mount'), ...text(search, 'role') }),
  component: lazyRouteComponent(() => import('../pages/inspect/InspectPage.tsx'), 'InspectPage'),
});

const machineIdentities = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/machine-identities',
  validateSearch: readView,
  component: lazyRouteComponent(
    () => import('../pages/machine-identities/MachineIdentitiesPage.tsx'),
    'MachineIdentitiesPage',
  ),
});

const revocationLists = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/revocation-lists',
  validateSearch: (search): OfMount & { serial?: string } => ({ ...text(search, 'mount'), ...text(search, 'serial') }),
  component: lazyRouteComponent(
    () => import('../pages/revocation-lists/RevocationListsPage.tsx'),
    'RevocationListsPage',
  ),
});

const roles = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/roles',
  validateSearch: (search): OfMount & { name?: string } => ({ ...text(search, 'mount'), ...text(search, 'name') }),
  component: lazyRouteComponent(() => import('../pages/roles/RolesPage.tsx'), 'RolesPage'),
});

const newRole = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/roles/~new',
  validateSearch: (search): OfMount => text(search, 'mount'),
  component: lazyRouteComponent(() => import('../pages/role/RolePage.tsx'), 'NewRolePage'),
});

const role = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/roles/$role',
  validateSearch: (search): OfMount => text(search, 'mount'),
  component: lazyRouteComponent(() => import('../pages/role/RolePage.tsx'), 'RolePage'),
});

const jwtRoles = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/jwt',
  validateSearch: (search): OfMount & { name?: string } => ({ ...text(search, 'mount'), ...text(search, 'name') }),
  component: lazyRouteComponent(() => import('../pages/jwt/pages.ts'), 'RolesPage'),
});

const newJwtRole = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/jwt/roles/~new',
  validateSearch: (search): OfMount => text(search, 'mount'),
  component: lazyRouteComponent(() => import('../pages/jwt/pages.ts'), 'NewRolePage'),
});

const jwtRole = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/jwt/roles/$role',
  validateSearch: (search): OfMount => text(search, 'mount'),
  component: lazyRouteComponent(() => import('../pages/jwt/pages.ts'), 'RolePage'),
});

const jwtConfiguration = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/jwt/configuration',
  validateSearch: (search): OfMount => text(search, 'mount'),
  component: lazyRouteComponent(() => import('../pages/jwt/pages.ts'), 'ConfigurationPage'),
});

const jwtInspect = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/jwt/inspect',
  validateSearch: (search): OfMount & { role?: string } => ({ ...text(search, 'mount'), ...text(search, 'role') }),
  component: lazyRouteComponent(() => import('../pages/jwt/pages.ts'), 'InspectPage'),
});

const mounts = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/mounts',
  validateSearch: (search): OfMount & { moved?: string } => ({ ...text(search, 'mount'), ...text(search, 'moved') }),
  component: lazyRouteComponent(() => import('../pages/mounts/MountsPage.tsx'), 'MountsPage'),
});

/** Routes of the access API pages: `/~access/…`. */
export const accessRoutes = [
  token,
  inspect,
  machineIdentities,
  revocationLists,
  roles,
  newRole,
  role,
  jwtRoles,
  newJwtRole,
  jwtRole,
  jwtConfiguration,
  jwtInspect,
  mounts,
];
