import { AppError } from '../../lib/errors.ts';
import { normalizePolicies, tokenPolicies } from '../acl/index.ts';
import {
  type IdentityService,
  type LoginIdentityRequest,
  MAX_ALIAS_BYTES,
  type Unidentified,
} from '../identity/index.ts';
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
import { LoginRefused, refusing } from './login-refused.ts';
import { type TokenSettings, termsOf } from './token-settings.ts';
import { tokenType } from './token-type.ts';
import type { Verdict } from './verdict.ts';

/** A login, a renewal or a question about one. */
export type LoginCall = Pick<OpenCall, 'peer' | 'mount' | 'latestMount'> & {
  readonly event: Pick<OpenCall['event'], 'add'>;
};

/** In place of the line of a request that asks about a login and makes none. */
export const UNNOTED: LoginCall['event'] = { add() {} };

/** Whoever a role lets in, and what it gives them. */
export interface AuthenticatedLogin {
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

/** Outcome of a login that is only explained: what was admitted, or the error that the caller would get. */
export type LoginPreview =
  | { readonly admitted: AuthenticatedLogin; readonly refused?: undefined }
  | { readonly refused: AppError; readonly admitted?: undefined };

export interface LoginsParts {
  readonly tokens: TokenService;
  readonly identities: Pick<IdentityService, 'forLogin' | 'foreseeLogin'>;
  /** Of the installation. */
  readonly limits: TtlLimits;
  /** The one text of every refused login. */
  readonly refused: string;
  /** How the method notes a reason in the line of the request. */
  readonly finding: (verdict: Verdict) => unknown;
}

/** How one step of a login is taken: with its effects, or without. */
interface Steps<Identity, Issued> {
  identify(request: LoginIdentityRequest): Promise<Identity | Unidentified>;
  issue(request: LoginRequest, limits: TtlLimits, identity: Identity): Issued | Promise<Issued>;
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
  async login(call: LoginCall, admit: (call: LoginCall) => Promise<AuthenticatedLogin>): Promise<Login> {
    try {
      const login = (await this.#asKnown(call, admit)) ?? (await this.#now(call, admit));
      call.event.add({ login_accessor: login.issued.token.accessor });
      return login;
    } catch (error) {
      if (error instanceof LoginRefused) call.event.add({ verdicts: [this.#parts.finding(error.verdict)] });
      throw error;
    }
  }

  /**
   * Goes the way of `login` to its end and stores nothing on it: no alias, no entity, no token.
   * @param admit the same decision, without effects of its own
   */
  async previewLogin(call: LoginCall, admit: (call: LoginCall) => Promise<AuthenticatedLogin>): Promise<LoginPreview> {
    try {
      const admitted = await admit(call);
      const refused = await this.refusal(admitted, call.peer.address);
      return refused ? { refused } : { admitted };
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'bad-request') throw error;
      return { refused: error };
    }
  }

  /** Returns why whoever a role admits would get no token; undefined where they would. */
  async refusal(admitted: AuthenticatedLogin, address: string): Promise<LoginRefused | undefined> {
    const { tokens, identities } = this.#parts;
    try {
      await this.#issue(admitted, address, undefined, {
        identify: (request) => identities.foreseeLogin(request),
        issue: (request, limits) => tokens.foresee(request, limits),
      });
      return undefined;
    } catch (error) {
      if (error instanceof LoginRefused) return error;
      throw error;
    }
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
  async #asKnown(call: LoginCall, admit: (call: LoginCall) => Promise<AuthenticatedLogin>): Promise<Login | undefined> {
    if (!call.latestMount) return undefined;
    const { tokens, identities } = this.#parts;
    const admitted = await admit(call);
    const { id: mountId, version: mountVersion } = admitted.mount;
    try {
      return await this.#issue(
        admitted,
        call.peer.address,
        { mountVersion, suffices: true },
        {
          identify: (request) => identities.forLogin(request),
          issue: async (request, limits, { identityVersion, identityPolicies }) => {
            const issued = await tokens.issueUnchanged(request, limits, { mountId, mountVersion, identityVersion });
            return issued && { issued, identityPolicies };
          },
        },
      );
    } catch (error) {
      // It may be refused for what was so before.
      if ((await call.latestMount()).version === mountVersion) throw error;
      return undefined;
    }
  }

  /** By what is read now, whatever changes meanwhile. */
  async #now(call: LoginCall, admit: (call: LoginCall) => Promise<AuthenticatedLogin>): Promise<Login> {
    const { tokens, identities } = this.#parts;
    const { latestMount, ...rest } = call;
    const mount = (await latestMount?.()) ?? call.mount;
    const admitted = await admit({ ...rest, mount });
    const memory = { mountVersion: admitted.mount.version, suffices: false };
    return this.#issue(admitted, call.peer.address, memory, {
      identify: (request) => identities.forLogin(request),
      issue: async (request, limits, { identityPolicies }) => ({
        issued: await tokens.issue(request, limits),
        identityPolicies,
      }),
    });
  }

  /**
   * Everything between a role that admits and the token. What can be refused without looking at identities is refused before
   * an alias is made.
   * @throws LoginRefused
   */
  async #issue<Identity extends { readonly entityId: string }, Issued>(
    { mount, settings, displayName, metadata, certificate, alias }: AuthenticatedLogin,
    address: string,
    memory: LoginIdentityRequest['memory'],
    { identify, issue }: Steps<Identity, Issued>,
  ): Promise<Issued> {
    const type = tokenType(settings.token_type, mount.tuning.token_type);
    if (type === 'batch' && settings.token_num_uses > 0) throw countedBatch(settings.token_num_uses);
    const boundCidrs = await refusing('token_strictly_bind_ip', 'an address that is known', () =>
      blocksFor(settings, address),
    );
    const { name: aliasName, ...ofAlias } = alias;
    const identity = await identify({ mountId: mount.id, aliasName, ...ofAlias, ...(memory && { memory }) });
    if ('refused' in identity) throw unidentified(identity, this.#parts.refused, aliasName);
    const request: LoginRequest = {
      type,
      path: `auth/${mount.path}/login`,
      displayName: shown(`${mount.path}-${displayName}`),
      policies: tokenPolicies(settings.token_policies, settings.token_no_default_policy),
      metadata,
      boundCidrs,
      mountId: mount.id,
      entityId: identity.entityId,
      certificate,
      terms: termsOf(settings),
      numUses: settings.token_num_uses,
    };
    return refusing('token', 'a token that can be made', () =>
      issue(request, limitsAt(this.#parts.limits, mount.tuning), identity),
    );
  }
}

/** A batch token is stored nowhere, so nobody could count its uses. */
const countedBatch = (uses: number): LoginRefused =>
  new LoginRefused('batch tokens cannot have "num_uses" set', {
    check: 'token_num_uses',
    expected: '0, as this mount or this role gives batch tokens',
    actual: String(uses),
  });

const SHOWN_NAME = 200;

function unidentified({ refused }: Unidentified, text: string, aliasName: string): LoginRefused {
  const name = aliasName.slice(0, SHOWN_NAME);
  const reasons = {
    disabled: {
      check: 'entity',
      expected: 'an entity that is not disabled',
      actual: `the entity of "${name}" is disabled`,
    },
    'unusable-name': {
      check: 'alias',
      expected: `a name of 1 to ${MAX_ALIAS_BYTES} bytes, without control characters`,
      actual: `${Buffer.byteLength(aliasName)} bytes: "${name}"`,
    },
  };
  return new LoginRefused(text, reasons[refused]);
}

function samePolicies(ofRole: readonly string[], ofToken: readonly string[]): boolean {
  const compared = (names: readonly string[]) => normalizePolicies(names).filter((name) => name !== 'default');
  return compared(ofRole).join() === compared(ofToken).join();
}

/** `cert-web`: where the token came from, and the role's name for it. */
const shown = (name: string): string => name.replace(/[^\w-]/g, '-');
