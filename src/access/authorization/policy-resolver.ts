import { type Database, sql } from '../../storage/index.ts';
import type { Acl, PolicyDraft, TemplateOwner } from '../acl/index.ts';
import { type EntityGrants, IDENTITY_VERSION, type IdentityService, NO_GRANTS } from '../identity/index.ts';
import type { Token } from '../model/token.ts';
import type { OpenCall } from '../operation/operation.ts';
import { POLICIES_VERSION, type PolicyService } from '../policies/index.ts';
import type { LiveToken, TokenService } from '../tokens/index.ts';

/** The effective permissions of a token, with their sources. */
export interface EffectivePolicies {
  /** Policies of the token, of its entity and of the entity's groups. */
  readonly policies: readonly string[];
  readonly grants: EntityGrants;
  readonly acl: Acl;
}

type Versions = Pick<LiveToken, 'policiesVersion' | 'identityVersion'>;

const versions = sql<Record<string, never>, Versions>(
  `SELECT ${POLICIES_VERSION} AS "policiesVersion", ${IDENTITY_VERSION} AS "identityVersion"`,
);

/** Combines the policies of tokens and identities. This is the only place where both meet. */
export class PolicyResolver {
  readonly #database: Database;
  readonly #tokens: TokenService;
  readonly #policies: PolicyService;
  readonly #identities: IdentityService;

  constructor(database: Database, tokens: TokenService, policies: PolicyService, identities: IdentityService) {
    this.#database = database;
    this.#tokens = tokens;
    this.#policies = policies;
    this.#identities = identities;
  }

  /** Returns the permissions of a token that was just looked up. Uses cached data for these versions. */
  async resolve(
    { token, policiesVersion, identityVersion }: Versions & { readonly token: Token },
    draft?: PolicyDraft,
  ): Promise<EffectivePolicies> {
    const { entityId } = token;
    const grants = entityId === null ? NO_GRANTS : await this.#identities.grants(entityId, identityVersion);
    const policies = effective(token.policies, grants.policies);
    const identity = async () => (entityId === null ? undefined : this.#identities.templateIdentity(entityId, grants));
    const acl = await this.#policies.aclOf(policies, policiesVersion, identity, draft, metadataOfLogin(token));
    return { policies, grants, acl };
  }

  /** Returns the current permissions of another token than the caller's, optionally with a draft. */
  async resolveForToken(token: Token, draft?: PolicyDraft): Promise<EffectivePolicies> {
    return this.resolve({ token, ...(await this.#versions()) }, draft);
  }

  /** Returns the ACL of the request's token, or undefined without a valid one. Does not count as a use. */
  async aclOfPresentedToken({ presented, peer }: Pick<OpenCall, 'presented' | 'peer'>): Promise<Acl | undefined> {
    const live = presented ? await this.#tokens.authenticateWithoutUse(presented, peer.address) : undefined;
    return live && (await this.resolve(live)).acl;
  }

  async #versions(): Promise<Versions> {
    return (await this.#database.one(versions, {})) ?? { policiesVersion: 0, identityVersion: 0 };
  }
}

/** Adds the policies of the identity. Root needs no others, and an identity cannot add root. */
function effective(ofToken: readonly string[], ofIdentity: readonly string[]): readonly string[] {
  const isRoot = ofToken.length === 1 && ofToken[0] === 'root';
  return isRoot || ofIdentity.length === 0 ? ofToken : [...new Set([...ofToken, ...ofIdentity])].sort();
}

/** Only a login vouches for metadata: the metadata of a child token is chosen by the holder of its parent. */
function metadataOfLogin({ mountId, metadata }: Token): TemplateOwner['metadata'] {
  return mountId === null ? undefined : (metadata ?? {});
}
