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

/** What tokens may do, and who holds them. */
export const policyRoutes = [policies, policy, newPolicy, explain];
