import { AppError } from '../../lib/errors.ts';
import { normalizePolicies, tokenPolicies } from '../acl/index.ts';
import type { IdentityService } from '../identity/index.ts';
import type { Mount } from '../model/mount.ts';
import type { Token, TokenCertificate } from '../model/token.ts';
import { limitsAt, type TtlLimits } from '../model/ttl-limits.ts';
import type { OpenCall } from '../operation/operation.ts';
import {
  blocksFor,
  type IssuedToken,
  type LoginRequest,
  type RenewedToken,
  type TokenService,
} from '../tokens/index.ts';
import { type TokenSettings, termsOf } from './token-settings.ts';
import { tokenType } from './token-type.ts';

/** A login, a renewal or a question about one. */
export type LoginCall = Pick<OpenCall, 'peer' | 'event' | 'mount' | 'latestMount'>;

/** Whoever a role lets in, and what it gives them. */
export interface AdmittedLogin {
  /** As it was when that was decided. */
  readonly mount: Mount;
  readonly settings: TokenSettings;
  /** Behind the path of the mount. */
  readonly displayName: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly certificate: TokenCertificate | null;
  readonly alias: {
    readonly name: string;
    /** Who vouches for the name; absent where the mount does. */
    readonly issuer?: string;
    /** Kept with it; undefined where nothing is. */
    readonly metadata: Readonly<Record<string, string>> | undefined;
    /** What the groups are called that they are in; absent where the method knows of none. */
    readonly groups?: readonly string[];
  };
}

/** A token, and what whoever it stands for adds to its policies. */
export interface Login {
  readonly issued: IssuedToken;
  readonly identityPolicies: readonly string[];
}

export interface LoginsParts {
  readonly tokens: TokenService;
  readonly identities: Pick<IdentityService, 'forLogin'>;
  /** Of the installation. */
  readonly limits: TtlLimits;
  /** The one text of every refused login. */
  readonly refused: string;
}

/** From whoever was let in to a token, and on to its renewal: alike for every method. */
export class Logins {
  readonly #parts: LoginsParts;

  constructor(parts: LoginsParts) {
    this.#parts = parts;
  }

  /**
   * @param admit decides by the mount of the call that it is given
   * @throws AppError bad-request
   */
  async login(call: LoginCall, admit: (call: LoginCall) => Promise<AdmittedLogin>): Promise<Login> {
    const login = (await this.#asKnown(call, admit)) ?? (await this.#now(call, admit));
    call.event.add({ login_accessor: login.issued.token.accessor });
    return login;
  }

  /**
   * On the role's terms of today; when its policies have changed, the token is not what the role would give any more.
   * @throws AppError bad-request
   */
  async renew(token: Token, settings: TokenSettings, mount: Mount, increment: number): Promise<RenewedToken> {
    if (!samePolicies(settings.token_policies, token.policies)) {
      throw new AppError('bad-request', 'policies have changed, not renewing');
    }
    const terms = { ...termsOf(settings), explicitMaxTtl: token.explicitMaxTtl };
    return this.#parts.tokens.renew(token, terms, limitsAt(this.#parts.limits, mount.tuning), increment);
  }

  /** Reads nothing that is known: the write of the token makes sure of it, and stores nothing when anything has changed. */
  async #asKnown(call: LoginCall, admit: (call: LoginCall) => Promise<AdmittedLogin>): Promise<Login | undefined> {
    if (!call.latestMount) return undefined;
    const admitted = await admit(call);
    const { id: mountId, version: mountVersion } = admitted.mount;
    try {
      const { identity, request, limits } = await this.#prepare(admitted, call, true);
      const { identityVersion, identityPolicies } = identity;
      const goneBy = { mountId, mountVersion, identityVersion };
      const issued = await this.#parts.tokens.issueUnchanged(request, limits, goneBy);
      return issued && { issued, identityPolicies };
    } catch (error) {
      // It may be refused for what was so before.
      if ((await call.latestMount()).version === mountVersion) throw error;
      return undefined;
    }
  }

  /** By what is read now, whatever changes meanwhile. */
  async #now(call: LoginCall, admit: (call: LoginCall) => Promise<AdmittedLogin>): Promise<Login> {
    const { latestMount, ...rest } = call;
    const mount = (await latestMount?.()) ?? call.mount;
    const { identity, request, limits } = await this.#prepare(await admit({ ...rest, mount }), call, false);
    return { issued: await this.#parts.tokens.issue(request, limits), identityPolicies: identity.identityPolicies };
  }

  async #prepare(
    { mount, settings, displayName, metadata, certificate, alias }: AdmittedLogin,
    { peer }: Pick<OpenCall, 'peer'>,
    memorySuffices: boolean,
  ) {
    const type = tokenType(settings.token_type, mount.tuning.token_type);
    // It is stored nowhere, so nobody could count.
    if (type === 'batch' && settings.token_num_uses > 0) {
      throw new AppError('bad-request', 'batch tokens cannot have "num_uses" set');
    }
    const { name: aliasName, ...ofAlias } = alias;
    const identity = await this.#parts.identities.forLogin({
      mountId: mount.id,
      aliasName,
      ...ofAlias,
      memory: { mountVersion: mount.version, suffices: memorySuffices },
    });
    if ('refused' in identity) {
      throw new AppError('bad-request', this.#parts.refused, { context: { identity: identity.refused } });
    }
    const request: LoginRequest = {
      type,
      path: `auth/${mount.path}/login`,
      displayName: shown(`${mount.path}-${displayName}`),
      policies: tokenPolicies(settings.token_policies, settings.token_no_default_policy),
      metadata,
      boundCidrs: blocksFor(settings, peer.address),
      mountId: mount.id,
      entityId: identity.entityId,
      certificate,
      terms: termsOf(settings),
      numUses: settings.token_num_uses,
    };
    return { identity, request, limits: limitsAt(this.#parts.limits, mount.tuning) };
  }
}

function samePolicies(ofRole: readonly string[], ofToken: readonly string[]): boolean {
  const compared = (names: readonly string[]) => normalizePolicies(names).filter((name) => name !== 'default');
  return compared(ofRole).join() === compared(ofToken).join();
}

/** `cert-web`: where the token came from, and the role's name for it. */
const shown = (name: string): string => name.replace(/[^\w-]/g, '-');
