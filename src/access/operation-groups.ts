import type { AccessDependencies } from './access.ts';
import { authorizationOperations } from './authorization/index.ts';
import type { AccessDomains } from './domains.ts';
import { identityOperations } from './identity/index.ts';
import { leaseOperations } from './leases/index.ts';
import { type FixedMount, IDENTITY_MOUNT, OPENAPI_MOUNT, SYSTEM_MOUNT, TOKEN_MOUNT } from './model/fixed-mounts.ts';
import { mountOperations, pluginOperations, renewByMethod, visibleMountOperations } from './mounts/index.ts';
import { type OperationGroup, openApiOperations } from './openapi/index.ts';
import type { Operation } from './operation/operation.ts';
import type { PathQuestions } from './operation/question.ts';
import { policyOperations } from './policies/index.ts';
import { sysOperations } from './sys/index.ts';
import { tokenOperations } from './tokens/index.ts';
import { wrappingOperations } from './wrapping/index.ts';

/** Operations with their path. `at` is absent for methods, which can be mounted at any path. */
export type PlacedOperationGroup = OperationGroup & { readonly at?: FixedMount };

/**
 * Returns all operations, grouped by path prefix.
 * @param paths checks permissions on paths without a request
 */
export function operationGroups(
  domains: AccessDomains,
  { clock, limits, version, audit, recentActivity, readiness }: AccessDependencies,
  paths: PathQuestions,
): readonly PlacedOperationGroup[] {
  const {
    facts,
    history,
    policies,
    identities,
    tokens,
    authorities: policyResolver,
    wrapping,
    cert,
    jwt,
    mounts,
  } = domains;
  const openApi = (path: string, id: string) => openApiOperations(path, id, () => groups, version);
  const sys: Operation[] = [
    ...sysOperations({
      ...{ facts, history, clock },
      ...(audit && { audit }),
      ...(recentActivity && { recentActivity }),
      ...(readiness && { readiness }),
    }),
    ...policyOperations(policies, clock),
    ...authorizationOperations({ tokens, policies, policyResolver, paths }),
    ...mountOperations(mounts.service, facts.version),
    ...visibleMountOperations(mounts, (call) => policyResolver.aclOfPresentedToken(call), facts.version),
    ...pluginOperations(mounts.methods.types, facts.version),
    ...leaseOperations(tokens, clock),
    ...wrappingOperations(wrapping),
    ...openApi('internal/specs/openapi', 'internal-generate-open-api-document'),
  ];
  const own = tokenOperations({ tokens, policies, identities, limits, clock, renewByMethod: renewByMethod(mounts) });
  const groups: readonly PlacedOperationGroup[] = [
    placed(TOKEN_MOUNT, own),
    placed(SYSTEM_MOUNT, sys),
    placed(IDENTITY_MOUNT, identityOperations(identities)),
    placed(OPENAPI_MOUNT, openApi('', 'generate-open-api-document')),
    { prefix: 'auth/{cert_mount_path}', operations: cert({ id: '' }).operations },
    { prefix: 'auth/{jwt_mount_path}', operations: jwt({ id: '' }).operations },
  ];
  return groups;
}

const placed = (at: FixedMount, operations: readonly Operation[]): PlacedOperationGroup => ({
  prefix: at.prefix,
  at,
  operations,
});
