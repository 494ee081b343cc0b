import { AppError } from '../../../lib/errors.ts';
import { matchesGlob } from '../../../lib/glob.ts';
import type { IdentityService } from '../../identity/index.ts';
import { TOKEN_MOUNT } from '../../model/fixed-mounts.ts';
import { limitsAt, type TtlLimits } from '../../model/ttl-limits.ts';
import { answersAuth } from '../../operation/answer.ts';
import type { Call, Operation, Reply } from '../../operation/operation.ts';
import type { PolicyService } from '../../policies/index.ts';
import type { TokenService } from '../lifecycle/token-service.ts';
import type { TokenRole } from '../role/token-role.ts';
import { authReply } from './auth-block.ts';
import { type Asked, childRequest, creationWarnings } from './child-request.ts';
import { CREATE_FIELDS, type CreateRequest, createRequest } from './create-fields.ts';

export interface CreateParts {
  readonly tokens: TokenService;
  readonly policies: Pick<PolicyService, 'text'>;
  readonly identities: Pick<IdentityService, 'forLogin' | 'policiesOf'>;
  readonly limits: TtlLimits;
}

type Where = Pick<Asked, 'orphan' | 'role'>;

/** Operations `create`, `create-orphan` and `create/<role>`, which issue tokens to the holder of a token. */
export function createOperations(parts: CreateParts): readonly Operation[] {
  return [
    {
      path: 'create',
      verb: 'update',
      id: 'token-create',
      summary: 'Create a token',
      answers: answersAuth(),
      fields: CREATE_FIELDS,
      handle: (call) => create(parts, call, { orphan: false }),
    },
    {
      path: 'create-orphan',
      verb: 'update',
      id: 'token-create-orphan',
      summary: 'Create a token without a parent',
      answers: answersAuth(),
      fields: CREATE_FIELDS,
      handle: (call) => create(parts, call, { orphan: true }),
    },
    {
      path: 'create/:role',
      verb: 'update',
      id: 'token-create-against-role',
      summary: 'Create a token with a token role',
      answers: answersAuth(),
      parameters: { role: 'Name of the token role.' },
      fields: CREATE_FIELDS,
      async handle(call) {
        const { role: name = '' } = call.params;
        const settings = await parts.tokens.roles.find(name);
        if (!settings) throw new AppError('bad-request', `unknown role ${name.slice(0, 100)}`);
        return create(parts, call, { orphan: false, role: { name, settings } });
      },
    },
  ];
}

async function create(parts: CreateParts, call: Call, where: Where): Promise<Reply> {
  const { token: parent, acl } = call.caller;
  const { path } = call;
  const request = createRequest(call.data);
  const sudo = acl.decide({ path, capability: 'update', sudo: true }).allowed;
  const child = childRequest(request, { ...where, parent, sudo, path, address: call.peer.address });
  const entityId = await entityOf(parts, request, where.role?.settings);
  const limits = limitsAt(parts.limits, call.mount.tuning);
  const issued = await parts.tokens.issue({ ...child, ...(entityId !== undefined && { entityId }) }, limits);
  const missing = await missingPolicies(child.policies, parts.policies);
  const warnings = [
    ...creationWarnings(request, where.role, child),
    ...issued.warnings,
    ...missing.map((name) => `Policy "${name}" does not exist`),
  ];
  return authReply({ ...issued, warnings }, await parts.identities.policiesOf(issued.token));
}

/** Returns the entity that the role allows for the token. Undefined: the parent's entity. */
async function entityOf(
  { identities }: CreateParts,
  { entity_alias: alias }: CreateRequest,
  role: TokenRole | undefined,
): Promise<string | undefined> {
  if (alias === '') return undefined;
  if (!role) throw new AppError('bad-request', "'entity_alias' is only allowed in combination with token role");
  // Ignores case: otherwise a disabled entity could return with an alias in another case.
  const name = alias.toLowerCase();
  const fits = role.allowed_entity_aliases.some((pattern) => matchesGlob(pattern, name));
  if (!fits) throw new AppError('bad-request', "invalid 'entity_alias' value");
  const identity = await identities.forLogin({ mountId: TOKEN_MOUNT.accessor, aliasName: name, metadata: undefined });
  if ('entityId' in identity) return identity.entityId;
  throw new AppError('bad-request', "'entity_alias' cannot be used: its entity is disabled, or the name is invalid");
}

async function missingPolicies(
  names: readonly string[],
  policies: CreateParts['policies'],
): Promise<readonly string[]> {
  const texts = await Promise.all(names.map((name) => policies.text(name)));
  return names.filter((_, index) => texts[index] === undefined);
}
