import { AppError } from '../../../lib/errors.ts';
import type { Token } from '../../model/token.ts';
import type { TokenRequest } from '../lifecycle/token-request.ts';
import { blocksFor } from '../role/binding.ts';
import type { TokenRole } from '../role/token-role.ts';
import { childPolicies } from './child-policies.ts';
import type { CreateRequest } from './create-fields.ts';

/** Inputs that decide about a new token, besides the request's fields. */
export interface Asked {
  /** The creating token. */
  readonly parent: Token;
  /** Whether it has `sudo` on the path. */
  readonly sudo: boolean;
  /** Path of the request, such as `auth/token/create/web`. */
  readonly path: string;
  /** Whether the path creates only orphans. */
  readonly orphan: boolean;
  readonly role?: { readonly name: string; readonly settings: TokenRole };
  /** IP address of the client. */
  readonly address: string;
}

/** @limit a custom token id, characters -> 400 */
const MAX_ID = 512;

/**
 * Returns the token that a create request gets.
 * @throws AppError bad-request
 */
export function childRequest(request: CreateRequest, asked: Asked): TokenRequest {
  const { parent, sudo, role } = asked;
  const settings = role?.settings;
  if (parent.type === 'batch') refuse('batch tokens cannot create more tokens');
  if (parent.usesLeft !== null) refuse('restricted use token cannot generate child tokens');
  const type = tokenType(request.type, settings);
  const terms = termsOf(request, settings);
  const numUses = smallestSet(request.num_uses, settings?.token_num_uses ?? 0);
  if (type === 'batch') checkBatch(request, settings);
  const policies = childPolicies({
    requested: request.policies,
    withoutDefault: request.no_default_policy,
    parent: parent.policies,
    role: settings,
    sudo,
  });
  if (policies.includes('root') && type === 'batch') refuse('batch tokens cannot be root tokens');
  if (request.id !== '') checkId(request.id, sudo);
  if (request.period > 0 && !sudo) refuse('root or sudo privileges required to create periodic token');
  const orphan = isOrphan(request, asked);
  const endless = policies.includes('root') && terms.ttl + terms.period + terms.explicitMaxTtl === 0;
  if (endless && parent.expiresAt !== null) refuse('expiring root tokens cannot create non-expiring root tokens');
  return {
    type,
    path: settings?.path_suffix ? `${asked.path}/${settings.path_suffix}` : asked.path,
    displayName: displayName(request.display_name),
    policies,
    metadata: request.meta,
    boundCidrs: boundCidrs(asked, orphan),
    mountId: null,
    certificate: null,
    parentId: orphan ? null : parent.id,
    notBefore: parent.createdAt,
    entityId: orphan ? null : parent.entityId,
    role: role?.name ?? null,
    renewable: request.renewable && settings?.renewable !== false,
    terms: type === 'batch' ? { ...terms, period: 0 } : terms,
    numUses,
    endless,
    ...(request.id !== '' && { text: request.id }),
  };
}

/**
 * Returns warnings about requested properties that have no effect.
 * @param child the resulting request
 */
export function creationWarnings(
  request: CreateRequest,
  role: Asked['role'],
  child: Pick<TokenRequest, 'type' | 'parentId'>,
): string[] {
  const settings = role?.settings;
  const both = (what: string, asked: number, ofRole: number) =>
    asked > 0 && ofRole > 0
      ? [
          `${what} specified both during creation call and in role; using the lesser value of ${Math.min(asked, ofRole)} seconds`,
        ]
      : [];
  return [
    ...both('Explicit max TTL', request.explicit_max_ttl, settings?.token_explicit_max_ttl ?? 0),
    ...both('Period', request.period, settings?.token_period ?? 0),
    ...(role && request.no_parent && child.parentId
      ? [
          `no_parent has no effect: the token role "${role.name}" decides, and has orphan=false. The token ` +
            'is revoked with its parent',
        ]
      : []),
    ...(role && request.type !== '' && request.type !== child.type
      ? [`type has no effect: the token role "${role.name}" issues ${child.type} tokens`]
      : []),
  ];
}

function tokenType(asked: string, role: TokenRole | undefined): Token['type'] {
  const ofRole = role?.token_type ?? 'default-service';
  if (ofRole === 'service' || ofRole === 'batch') return ofRole;
  const type = asked || ofRole.replace('default-', '');
  if (type !== 'service' && type !== 'batch') refuse("invalid 'token_type' value");
  return type;
}

/** Returns the smaller values of request and role, if both are set. */
function termsOf(request: CreateRequest, role: TokenRole | undefined) {
  return {
    ttl: request.ttl,
    maxTtl: 0,
    period: smallestSet(request.period, role?.token_period ?? 0),
    explicitMaxTtl: smallestSet(request.explicit_max_ttl, role?.token_explicit_max_ttl ?? 0),
  };
}

/** Refuses properties that a batch token cannot have. A role that requires them cannot issue batch tokens. */
function checkBatch(request: CreateRequest, role: TokenRole | undefined): void {
  const wrong =
    (request.explicit_max_ttl > 0 && 'explicit_max_ttl') ||
    ((request.num_uses > 0 || (role?.token_num_uses ?? 0) > 0) && 'num_uses') ||
    ((request.period > 0 || (role?.token_period ?? 0) > 0) && 'period');
  if (wrong) refuse(`batch tokens cannot have "${wrong}" set`);
}

/** Checks a token text chosen by an operator. It must not have the form of generated tokens. */
function checkId(id: string, sudo: boolean): void {
  if (!sudo) refuse('root or sudo privileges required to specify token id');
  if (id.includes('.')) refuse("custom token ID cannot have the '.' in the value");
  if (id.length > MAX_ID || !/^[\x21-\x7e]+$/.test(id)) {
    refuse(`custom token ID can have at most ${MAX_ID} printable characters, without spaces`);
  }
}

function isOrphan({ no_parent }: CreateRequest, { orphan, role, sudo }: Asked): boolean {
  if (no_parent && !role && !sudo) refuse('root or sudo privileges required to create orphan token');
  return role ? role.settings.orphan : orphan || no_parent;
}

/** Returns the role's blocks or, without any, the parent's. An orphan gets only the role's. */
function boundCidrs({ role, parent, address }: Asked, orphan: boolean): readonly string[] {
  const ofRole = role ? blocksFor(role.settings, address) : [];
  return ofRole.length > 0 || orphan ? ofRole : parent.boundCidrs;
}

/** Returns `token-<name>` with letters, digits and dashes only. */
function displayName(name: string): string {
  return name === '' ? 'token' : `token-${name}`.replace(/[^a-zA-Z0-9-]/g, '-').replace(/-$/, '');
}

function smallestSet(a: number, b: number): number {
  return a > 0 && b > 0 ? Math.min(a, b) : a || b;
}

function refuse(message: string): never {
  throw new AppError('bad-request', message);
}
