import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readQuestion } from '../pages/policies/question.ts';
import { text } from '../shell/search.ts';
import { signedIn } from './frame.ts';

const policies = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/policies',
  validateSearch: (search): { q?: string } => text(search, 'q'),
  component: lazyRouteComponent(() => import('../pages/policies/PoliciesPage.tsx'), 'PoliciesPage'),
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
  component: lazyRouteComponent(() => import('../pages/policies/PolicyPage.tsx'), 'PolicyPage'),
});

const newPolicy = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/policies/new',
  validateSearch: readBench,
  component: lazyRouteComponent(() => import('../pages/policies/NewPolicyPage.tsx'), 'NewPolicyPage'),
});

const explain = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/policies/explain',
  validateSearch: readQuestion,
  component: lazyRouteComponent(() => import('../pages/policies/ExplainPage.tsx'), 'ExplainPage'),
});

const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/tokens',
  component: lazyRouteComponent(() => import('../pages/tokens/TokensPage.tsx'), 'TokensPage'),
});

const newToken = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/tokens/new',
  component: lazyRouteComponent(() => import('../pages/tokens/NewTokenPage.tsx'), 'NewTokenPage'),
});

const token = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/tokens/$accessor',
  component: lazyRouteComponent(() => import('../pages/tokens/TokenDetailsPage.tsx'), 'TokenDetailsPage'),
});

const tokenRoles = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/token-roles',
  component: lazyRouteComponent(() => import('../pages/tokens/TokenRolesPage.tsx'), 'TokenRolesPage'),
});

const newTokenRole = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/token-roles/new',
  component: lazyRouteComponent(() => import('../pages/tokens/TokenRolePage.tsx'), 'NewTokenRolePage'),
});

const tokenRole = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/token-roles/role/$role',
  component: lazyRouteComponent(() => import('../pages/tokens/TokenRolePage.tsx'), 'TokenRolePage'),
});

const leases = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/leases',
  validateSearch: (search): { prefix?: string; lease?: string } => ({
    ...text(search, 'prefix'),
    ...text(search, 'lease'),
  }),
  component: lazyRouteComponent(() => import('../pages/tokens/LeasesPage.tsx'), 'LeasesPage'),
});

const wrapping = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/wrapping',
  component: lazyRouteComponent(() => import('../pages/tokens/WrappingPage.tsx'), 'WrappingPage'),
});

const entities = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/identities',
  component: lazyRouteComponent(() => import('../pages/identities/EntitiesPage.tsx'), 'EntitiesPage'),
});

const entity = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/identities/entity/$id',
  component: lazyRouteComponent(() => import('../pages/identities/EntityPage.tsx'), 'EntityPage'),
});

const groups = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/identities/groups',
  component: lazyRouteComponent(() => import('../pages/identities/GroupsPage.tsx'), 'GroupsPage'),
});

const group = createRoute({
  getParentRoute: () => signedIn,
  path: '/~access/identities/group/$id',
  component: lazyRouteComponent(() => import('../pages/identities/GroupPage.tsx'), 'GroupPage'),
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
