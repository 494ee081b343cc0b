import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readQuestion } from '../pages/policies/question.ts';
import { text } from '../shell/search.ts';
import { signedIn } from './frame.ts';

const policies = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/policies',
  validateSearch: (search): { q?: string } => text(search, 'q'),
  component: lazyRouteComponent(() => import('../pages/policies/pages.ts'), 'PoliciesPage'),
});

const readBench = (search: Record<string, unknown>) => ({
  ...readQuestion(search),
  ...text(search, 'tests'),
  ...text(search, 'line'),
});

const policy = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/policies/acl/$name',
  validateSearch: readBench,
  component: lazyRouteComponent(() => import('../pages/policies/pages.ts'), 'PolicyPage'),
});

const newPolicy = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/policies/new',
  validateSearch: readBench,
  component: lazyRouteComponent(() => import('../pages/policies/pages.ts'), 'NewPolicyPage'),
});

const explain = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/policies/explain',
  validateSearch: readQuestion,
  component: lazyRouteComponent(() => import('../pages/policies/pages.ts'), 'ExplainPage'),
});

const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/tokens',
  component: lazyRouteComponent(() => import('../pages/tokens/pages.ts'), 'TokensPage'),
});

const newToken = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/tokens/new',
  component: lazyRouteComponent(() => import('../pages/tokens/pages.ts'), 'NewTokenPage'),
});

const token = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/tokens/$accessor',
  component: lazyRouteComponent(() => import('../pages/tokens/pages.ts'), 'TokenDetailsPage'),
});

const tokenRoles = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/token-roles',
  component: lazyRouteComponent(() => import('../pages/tokens/pages.ts'), 'TokenRolesPage'),
});

const newTokenRole = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/token-roles/new',
  component: lazyRouteComponent(() => import('../pages/tokens/pages.ts'), 'NewTokenRolePage'),
});

const tokenRole = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/token-roles/role/$role',
  component: lazyRouteComponent(() => import('../pages/tokens/pages.ts'), 'TokenRolePage'),
});

const leases = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/leases',
  validateSearch: (search): { prefix?: string; lease?: string } => ({
    ...text(search, 'prefix'),
    ...text(search, 'lease'),
  }),
  component: lazyRouteComponent(() => import('../pages/tokens/pages.ts'), 'LeasesPage'),
});

const wrapping = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/wrapping',
  component: lazyRouteComponent(() => import('../pages/tokens/pages.ts'), 'WrappingPage'),
});

const entities = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/identities',
  component: lazyRouteComponent(() => import('../pages/identities/pages.ts'), 'EntitiesPage'),
});

const entity = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/identities/entity/$id',
  component: lazyRouteComponent(() => import('../pages/identities/pages.ts'), 'EntityPage'),
});

const groups = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/identities/groups',
  component: lazyRouteComponent(() => import('../pages/identities/pages.ts'), 'GroupsPage'),
});

const group = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/identities/group/$id',
  component: lazyRouteComponent(() => import('../pages/identities/pages.ts'), 'GroupPage'),
});

/** Routes of policies, tokens, leases and identities. */
export const policyRoutes = [
  policies,
  policy,
  newPolicy,
  explain,
  tokens,
  newToken,
  token,
  tokenRoles,
  newTokenRole,
  tokenRole,
  leases,
  wrapping,
  entities,
  entity,
  groups,
  group,
];
