import { type Database, sql } from '../../storage/index.ts';
import type { Acl, PolicyDraft } from '../acl/index.ts';
import { type EntityGrants, IDENTITY_VERSION, type IdentityService, NO_GRANTS } from '../identity/index.ts';
import type { Token } from '../model/token.ts';
import type { OpenCall } from '../operation/operation.ts';
import { POLICIES_VERSION, type PolicyService } from '../policies/index.ts';
import type { LiveToken, TokenService } from '../tokens/index.ts';

/** What a token may do, and where that comes from. */
export interface EffectivePolicies {
  /** Of the token, of whoever it stands for, and of the groups that this is in. */
  readonly policies: readonly string[];
  readonly grants: EntityGrants;
  readonly acl: Acl;
}

type Versions = Pick<LiveToken, 'policiesVersion' | 'identityVersion'>;

const versions = sql<Record<string, never>, Versions>(
  `SELECT ${POLICIES_VERSION} AS "policiesVersion", ${IDENTITY_VERSION} AS "identityVersion"`,
);

/** Puts together what tokens may do: the one place where policies of tokens and of identities meet. */
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

  /** Of a token that was just looked up. Nothing is read that is known at these versions. */
  async resolve(
    { token, policiesVersion, identityVersion }: Versions & { readonly token: Token },
    draft?: PolicyDraft,
  ): Promise<EffectivePolicies> {
    const { entityId } = token;
    const grants = entityId === null ? NO_GRANTS : await this.#identities.grants(entityId, identityVersion);
    const policies = effective(token.policies, grants.policies);
    const identity = async () => (entityId === null ? undefined : this.#identities.templateIdentity(entityId, grants));
    return { policies, grants, acl: await this.#policies.aclOf(policies, policiesVersion, identity, draft) };
  }

  /** Of another token than the caller's, as it is at this moment; or as it would be with a draft. */
  async resolveForToken(token: Token, draft?: PolicyDraft): Promise<EffectivePolicies> {
    return this.resolve({ token, ...(await this.#versions()) }, draft);
  }

  /** What the token that came with a call may do; undefined when there was none that is worth anything. No use is counted. */
  async aclOfPresentedToken({ presented, peer }: Pick<OpenCall, 'presented' | 'peer'>): Promise<Acl | undefined> {
    const live = presented ? await this.#tokens.authenticateWithoutUse(presented, peer.address) : undefined;
    return live && (await this.resolve(live)).acl;
  }

  async #versions(): Promise<Versions> {
    return (await this.#database.one(versions, {})) ?? { policiesVersion: 0, identityVersion: 0 };
  }
}

/** Beside root there is nothing to add; and root is nothing that an identity could add. */
function effective(ofToken: readonly string[], ofIdentity: readonly string[]): readonly string[] {
  const isRoot = ofToken.length === 1 && ofToken[0] === 'root';
  return isRoot || ofIdentity.length === 0 ? ofToken : [...new Set([...ofToken, ...ofIdentity])].sort();
}
