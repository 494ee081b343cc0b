import { createHash } from 'node:crypto';
import {
  ALGORITHMS,
  type Finding,
  finding,
  memberOf,
  type ParsedToken,
  parseToken,
  verifySignature,
} from '../../../jwt/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { type AuthenticatedLogin, allPassed, type LoginCall } from '../../method/index.ts';
import type { Mount } from '../../model/mount.ts';
import type { JwtConfig } from '../settings/jwt-config.ts';
import type { JwtRoleSettings } from '../settings/jwt-role.ts';
import { type Bearer, evaluateRole } from './evaluate-role.ts';
import type { MountKeys } from './mount-keys.ts';
import type { JwtRoles } from './roles.ts';

/** Message of every refused login. It is the same for all reasons. */
export const REFUSED = 'failed to match all constraints for this login token';

export interface JwtAuthenticatorParts {
  readonly roles: JwtRoles;
  readonly keys: MountKeys;
  readonly clock: Clock;
}

export interface JwtLoginRequest {
  /** Role name in any case. Empty: the default role of the configuration. */
  readonly role: string;
  readonly jwt: string;
}

interface Attempt {
  readonly mount: Mount;
  readonly role: string;
  readonly findings: readonly Finding[];
  readonly subject: unknown;
  readonly admitted: AuthenticatedLogin | undefined;
  /** Error message for the client. */
  readonly text: string;
}

/** Decides whether a JWT may log in. */
export class JwtAuthenticator {
  readonly #parts: JwtAuthenticatorParts;

  constructor(parts: JwtAuthenticatorParts) {
    this.#parts = parts;
  }

  /**
   * Finds out whether the role accepts the token. Tries again if the mount has changed meanwhile. A second refusal is
   * final: a request that arrives later may succeed.
   * @throws AppError bad-request with one message for every reason; the reasons are in the request's log entry
   */
  async authenticate(asked: JwtLoginRequest, call: LoginCall): Promise<AuthenticatedLogin> {
    if (asked.jwt === '') throw new AppError('bad-request', 'missing token');
    const first = await this.#attempt(asked, call, call.mount);
    const latest = first.admitted ? call.mount : ((await call.latestMount?.()) ?? call.mount);
    const attempt = latest.version === first.mount.version ? first : await this.#attempt(asked, call, latest);
    const { role, findings, subject, admitted, text } = attempt;
    if (typeof subject === 'string') call.event.add({ actor_subject: subject.slice(0, SHOWN_LENGTH) });
    call.event.add(admitted ? { role, verdicts: undefined } : { role: undefined, verdicts: findings });
    if (!admitted) throw new AppError('bad-request', text);
    return admitted;
  }

  async #attempt({ role: asked, jwt }: JwtLoginRequest, { peer }: LoginCall, mount: Mount): Promise<Attempt> {
    const { roles, clock } = this.#parts;
    const config = roles.config(mount);
    const name = asked.toLowerCase() || (config?.default_role ?? '');
    const refused = (findings: readonly Finding[], subject?: unknown, text = REFUSED): Attempt => ({
      ...{ mount, role: name, findings, subject, admitted: undefined, text },
    });
    if (!config) return refused([], undefined, 'could not load configuration');
    if (name === '') return refused([], undefined, 'missing role');
    const token = parseToken(jwt);
    if (typeof token === 'string') return refused([notToken(token)]);
    const settings = await roles.find(name, mount);
    if (!settings) return refused([UNKNOWN_ROLE]);
    const signature = await this.verify(token, config);
    // The claims of a token without a valid signature are neither checked nor logged.
    if (!allPassed(signature)) return refused(signature);
    const { claims } = token;
    const subject = memberOf(claims, 'sub');
    const presented = { claims, issuer: this.issuer(config), address: peer.address, now: clock() };
    const { findings, bearer } = evaluateRole(name, settings, presented);
    const all = [...signature, ...findings];
    if (!allPassed(all)) return refused(all, subject);
    return {
      mount,
      role: name,
      findings: all,
      subject,
      admitted: authenticatedLogin({ mount, settings, claims, bearer }),
      text: '',
    };
  }

  /** Verifies the signature with the keys of the mount. */
  verify(token: ParsedToken, config: JwtConfig): Promise<readonly Finding[]> {
    const { jwt_supported_algs: algorithms } = config;
    return verifySignature(token, this.#parts.keys.keysFor(config), algorithms.length > 0 ? algorithms : ALGORITHMS);
  }

  /** Returns the expected `iss` claim. Call it after the keys have been loaded. */
  issuer(config: JwtConfig): string | undefined {
    if (config.bound_issuer !== '') return config.bound_issuer;
    return config.oidc_discovery_url === '' ? undefined : config.oidc_discovery_url;
  }
}

/** Returns the login of a token that a role accepts. */
export function authenticatedLogin({ mount, settings, claims, bearer }: Bearing): AuthenticatedLogin {
  const { name, metadata, groups } = bearer;
  const alias = { name, issuer: issuerKey(claims), metadata, groups };
  return { mount, settings, displayName: name, metadata, certificate: null, alias };
}

interface Bearing {
  readonly mount: Mount;
  readonly settings: JwtRoleSettings;
  readonly claims: ParsedToken['claims'];
  readonly bearer: Bearer;
}

/** Maximum length of the subject in the log, in characters. */
const SHOWN_LENGTH = 300;

/** Finding for a login with an unknown role. */
export const UNKNOWN_ROLE: Finding = finding('role', false, 'the name of a role of this mount', 'another name');

export const notToken = (why: string): Finding => finding('token', false, 'a signed token in compact form', why);

/** Two issuers may use the same name for different clients, so the alias also contains a hash of the issuer. */
function issuerKey(claims: ParsedToken['claims']): string {
  const issuer = memberOf(claims, 'iss');
  return typeof issuer === 'string' ? createHash('sha256').update(issuer).digest('hex') : '';
}
