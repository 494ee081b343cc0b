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

/** The request of a login, a renewal or an explanation. */
export type LoginCall = Pick<OpenCall, 'peer' | 'mount' | 'latestMount'> & {
  readonly event: Pick<OpenCall['event'], 'add'>;
};

/** Replaces the log entry if a login is only explained. */
export const UNNOTED: LoginCall['event'] = { add() {} };

/** A login that a role accepts, and the properties of its token. */
export interface AuthenticatedLogin {
  /** The mount as read when the role accepted the login. */
  readonly mount: Mount;
  readonly settings: TokenSettings;
  /** Name of the client. The display name of the token is the mount's path followed by this name. */
  readonly displayName: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly certificate: TokenCertificate | null;
  readonly alias: {
    readonly name: string;
    /** Key of the issuer that vouches for the name. Absent: the mount does. */
    readonly issuer?: string;
    /** Stored with the alias. Undefined: nothing is stored. */
    readonly metadata: Readonly<Record<string, string>> | undefined;
    /** Names of the external groups. Absent if the method does not know any. */
    readonly groups?: readonly string[];
  };
}

/** A token, and the policies that its identity adds. */
export interface Login {
  readonly issued: IssuedToken;
  readonly identityPolicies: readonly string[];
}

/** Result of an explained login: the accepted login, or the error for the client. */
export type LoginPreview =
  | { readonly admitted: AuthenticatedLogin; readonly refused?: undefined }
  | { readonly refused: AppError; readonly admitted?: undefined };

export interface LoginsParts {
  readonly tokens: TokenService;
  readonly identities: Pick<IdentityService, 'forLogin' | 'foreseeLogin'>;
  /** Server-wide limits. */
  readonly limits: TtlLimits;
  /** Error message of every refused login. */
  readonly refused: string;
  /** Converts a verdict to the method's format for the log entry. */
  readonly finding: (verdict: Verdict) => unknown;
}

/** The steps of issuing a token: with side effects, or without. */
interface Steps<Identity, Issued> {
  identify(request: LoginIdentityRequest): Promise<Identity | Unidentified>;
  issue(request: LoginRequest, limits: TtlLimits, identity: Identity): Issued | Promise<Issued>;
}

/** Issues and renews tokens for accepted logins. Common to all methods. */
export class Logins {
  readonly #parts: LoginsParts;

  constructor(parts: LoginsParts) {
    this.#parts = parts;
  }

  /**
   * @param admit decides with the mount of the call that it gets
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
   * Runs a login to its end without storing anything: no alias, entity or token.
   * @param admit decides without side effects
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

  /** Returns why an accepted login would get no token, or undefined. */
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
   * Renews a token with the current settings of the role. Refuses it if the role's policies have changed, because the
   * token would have other policies today.
   * @throws AppError bad-request
   */
  async renew(token: Token, settings: TokenSettings, mount: Mount, increment: number): Promise<RenewedToken> {
    if (!samePolicies(settings.token_policies, token.policies)) {
      throw new AppError('bad-request', 'policies have changed, not renewing');
    }
    const terms = { ...termsOf(settings), explicitMaxTtl: token.explicitMaxTtl };
    return this.#parts.tokens.renew(token, terms, limitsAt(this.#parts.limits, mount.tuning), increment);
  }

  /**
   * Logs in with cached data, and reads only what is not cached (optimistic concurrency): the write of the token
   * checks the versions, and stores nothing if anything has changed.
   */
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
      // The refusal may come from outdated data.
      if ((await call.latestMount()).version === mountVersion) throw error;
      return undefined;
    }
  }

  /** Logs in with data that is read now, regardless of concurrent changes. */
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
   * Runs all steps between the role's decision and the token. Checks that do not need the identity come first, so
   * that no alias is created for a refused login.
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
    const boundCidrs = await refusing('token_strictly_bind_ip', 'a known client address', () =>
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
    return refusing('token', 'a token that can be issued', () =>
      issue(request, limitsAt(this.#parts.limits, mount.tuning), identity),
    );
  }
}

/** A batch token is not stored, so its uses cannot be counted. */
const countedBatch = (uses: number): LoginRefused =>
  new LoginRefused('batch tokens cannot have "num_uses" set', {
    check: 'token_num_uses',
    expected: '0, because this mount or this role issues batch tokens',
    actual: String(uses),
  });

const SHOWN_NAME = 200;

function unidentified({ refused }: Unidentified, text: string, aliasName: string): LoginRefused {
  const name = aliasName.slice(0, SHOWN_NAME);
  const reasons = {
    disabled: {
      check: 'entity',
      expected: 'an enabled entity',
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

/** Replaces special characters in a display name such as `cert-web` (mount and role). */
const shown = (name: string): string => name.replace(/[^\w-]/g, '-');
