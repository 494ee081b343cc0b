import { type Finding, finding, type JsonObject, parseToken } from '../../../jwt/index.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Peer } from '../../../lib/request.ts';
import {
  allPassed,
  type LoginCall,
  type LoginPreview,
  type Logins,
  REFUSAL_HINTS,
  UNNOTED,
} from '../../method/index.ts';
import type { Mount } from '../../model/mount.ts';
import { anyObject, component, flag, integer, listOf, optional, orNull, text, word } from '../../operation/schema.ts';
import { evaluateRole } from '../authentication/evaluate-role.ts';
import {
  authenticatedLogin,
  type JwtAuthenticator,
  type JwtAuthenticatorParts,
  notToken,
  UNKNOWN_ROLE,
} from '../authentication/jwt-authenticator.ts';
import type { JwtRoleStore } from '../authentication/roles.ts';
import type { JwtConfig } from '../settings/jwt-config.ts';
import { ROLE_IN_METADATA } from '../settings/jwt-role.ts';

const Verdict = component(
  'JwtVerdict',
  {
    check: text(),
    outcome: word(['passed', 'refused']),
    expected: text(),
    actual: text(),
    hint: optional(text('How to fix it.')),
  },
  'Result of one check of a login.',
);

const Role = component('JwtExplainedRole', {
  role: text(),
  admitted: flag('Whether a login with this role would succeed.'),
  alias_name: text('Name of the alias. Empty if the token lacks the claim.'),
  verdicts: listOf(Verdict),
});

/** Response of `login/explain`. */
export const JwtExplanation = component(
  'JwtExplanation',
  {
    algorithm: orNull(text('Null if the text is not a token.')),
    key_id: orNull(text()),
    claims: orNull(anyObject('Claims of the token. Its signature may be invalid.')),
    admitted: flag("Whether the login would succeed; without a role, with the mount's default role."),
    role: orNull(text('Role that the login would use. Null if the login would be refused.')),
    error: orNull(text('Error message of the login. Null if it would succeed.')),
    verdicts: listOf(Verdict, 'Verdicts about the token itself, for any role.'),
    roles: listOf(Role),
    roles_left_out: integer('1 if more roles exist than are shown.'),
  },
  'Why a login would succeed or fail, for each role and check.',
);

export interface ExplainRequest {
  /** Role name. Empty: all roles. */
  readonly role: string;
  readonly jwt: string;
  /** IP address of the login. Empty: the address of this connection. */
  readonly address: string;
}

/**
 * Maximum number of explained roles.
 * @limit roles in the explanation of a JWT login, roles -> the others are left out
 */
const MAX_ROLES = 100;

const HINTS: Readonly<Record<string, string>> = {
  ...REFUSAL_HINTS,
  algorithm: 'Add the algorithm to jwt_supported_algs, if the issuer may use it.',
  signature:
    'Check the key source in the configuration. Lockkeeper fetches keys again for an unknown key id, at most ' +
    'every ten seconds.',
  issuer: "Set bound_issuer to the iss claim of this issuer's tokens.",
  bound_audiences: 'Configure the issuer to set an audience that the role binds, or bind the audience of the token.',
  expiration: 'Get a new token, or set clock_skew_leeway if clocks differ.',
  not_before: 'Set clock_skew_leeway if clocks differ.',
  issued_at: 'Set clock_skew_leeway if clocks differ.',
};

interface ExplainerParts extends JwtAuthenticatorParts {
  readonly store: JwtRoleStore;
  readonly authenticator: JwtAuthenticator;
  readonly logins: Pick<Logins, 'previewLogin' | 'refusal'>;
}

/**
 * Explains why a login would succeed or fail. The result comes from the login code itself, without its side effects;
 * the details list all roles and checks.
 */
export class Explainer {
  readonly #parts: ExplainerParts;

  constructor(parts: ExplainerParts) {
    this.#parts = parts;
  }

  async explain({ role, jwt, address }: ExplainRequest, { mount, peer }: LoginCall): Promise<Record<string, unknown>> {
    const { roles, authenticator, logins, clock } = this.#parts;
    const config = roles.config(mount);
    if (!config) throw new AppError('bad-request', 'could not load configuration');
    const from = connectionFrom(address || peer.address);
    const foreseen = await logins.previewLogin({ peer: from, mount, event: UNNOTED }, (asked) =>
      authenticator.authenticate({ role, jwt }, asked),
    );
    const token = parseToken(jwt);
    if (typeof token === 'string') return explanation(undefined, [notToken(token)], [], 0, foreseen);
    const signature = await authenticator.verify(token, config);
    const { names, leftOut } = await this.#names(role);
    const explained: ExplainedRole[] = [];
    for (const name of names) {
      const settings = await roles.find(name, mount);
      if (!settings) continue;
      const { claims } = token;
      const presented = { claims, issuer: authenticator.issuer(config), address: from.address, now: clock() };
      const { findings, bearer } = evaluateRole(name, settings, presented);
      const login = authenticatedLogin({ mount, settings, claims, bearer });
      const isJudgedGood = allPassed([...signature, ...findings]);
      const refusal = isJudgedGood ? await logins.refusal(login, from.address) : undefined;
      const verdicts = (refusal ? [...findings, refusal.verdict] : findings).map(withHint);
      explained.push({ role: name, admitted: isJudgedGood && !refusal, alias_name: bearer.name, verdicts });
    }
    const unknown =
      role === '' ? await this.#unknownDefault(config, mount) : explained.length === 0 ? [UNKNOWN_ROLE] : [];
    return explanation(token, [...signature, ...unknown], explained, leftOut, foreseen);
  }

  /** Reports a default role that no longer exists. */
  async #unknownDefault({ default_role: name }: JwtConfig, mount: Mount): Promise<Finding[]> {
    if (name === '' || (await this.#parts.roles.find(name, mount))) return [];
    return [finding('role', false, UNKNOWN_ROLE.expected, `default_role is "${name}"`)];
  }

  async #names(role: string): Promise<{ names: readonly string[]; leftOut: number }> {
    if (role !== '') return { names: [role.toLowerCase()], leftOut: 0 };
    const names = await this.#parts.store.names('', MAX_ROLES + 1);
    return { names: names.slice(0, MAX_ROLES), leftOut: Math.max(0, names.length - MAX_ROLES) };
  }
}

/** Returns a simulated connection with only an address: the token identifies the client. */
const connectionFrom = (address: string): Peer => ({
  address,
  tls: true,
  leaf: () => undefined,
  intermediates: () => [],
  proved() {},
  admitted() {},
});

interface ExplainedRole {
  readonly role: string;
  readonly admitted: boolean;
  readonly alias_name: string;
  readonly verdicts: readonly Finding[];
}

function explanation(
  token: { readonly algorithm: string; readonly keyId: string | undefined; readonly claims: JsonObject } | undefined,
  verdicts: readonly Finding[],
  roles: readonly ExplainedRole[],
  leftOut: number,
  { admitted, refused }: LoginPreview,
): Record<string, unknown> {
  return {
    algorithm: token?.algorithm ?? null,
    key_id: token?.keyId ?? null,
    claims: token?.claims ?? null,
    admitted: admitted !== undefined,
    role: admitted?.metadata[ROLE_IN_METADATA] ?? null,
    error: refused?.message ?? null,
    verdicts: verdicts.map(withHint),
    roles,
    roles_left_out: leftOut,
  };
}

function withHint(verdict: Finding): Finding & { readonly hint?: string } {
  const hint = verdict.outcome === 'refused' ? HINTS[verdict.check] : undefined;
  return hint === undefined ? verdict : { ...verdict, hint };
}
