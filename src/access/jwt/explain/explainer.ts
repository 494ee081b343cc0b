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
    hint: optional(text('What to do about it.')),
  },
  'One check of a login.',
);

const Role = component('JwtExplainedRole', {
  role: text(),
  admitted: flag('Whether a login that names this role would succeed.'),
  alias_name: text('What it would be called by; empty where the token does not say.'),
  verdicts: listOf(Verdict),
});

/** What `login/explain` answers. */
export const JwtExplanation = component(
  'JwtExplanation',
  {
    algorithm: orNull(text('Null where it is no token.')),
    key_id: orNull(text()),
    claims: orNull(anyObject('What the token says, whoever has signed it.')),
    admitted: flag('Whether the login would succeed; without a role, one by the default role of the mount.'),
    role: orNull(text('The role that the login would be by; null where it is refused.')),
    error: orNull(text('What the login would answer; null where it succeeds.')),
    verdicts: listOf(Verdict, 'Of the token itself, whatever the role is.'),
    roles: listOf(Role),
    roles_left_out: integer('1 where there are roles beyond those that are shown.'),
  },
  'Why a login would succeed or fail: role by role, check by check.',
);

export interface ExplainRequest {
  /** Empty: every role. */
  readonly role: string;
  readonly jwt: string;
  /** Where the login would come from; empty: the address of this connection. */
  readonly address: string;
}

/**
 * Roles beyond this many are left out, and the answer says so.
 * @limit roles that an explanation of a token speaks of, roles -> the others are left out
 */
const MAX_ROLES = 100;

const HINTS: Readonly<Record<string, string>> = {
  ...REFUSAL_HINTS,
  algorithm: 'Name the algorithm in jwt_supported_algs, if the issuer is to use it.',
  signature:
    'Look at where the configuration finds the keys. Those of an unknown key are fetched again every ten seconds at most.',
  issuer: 'Set bound_issuer to what the tokens of this issuer say.',
  bound_audiences: 'Have the issuer name the audience that the role binds, or bind the one that it names.',
  expiration: 'Get a new token, or set clock_skew_leeway where clocks differ.',
  not_before: 'Set clock_skew_leeway where clocks differ.',
  issued_at: 'Set clock_skew_leeway where clocks differ.',
};

interface ExplainerParts extends JwtAuthenticatorParts {
  readonly store: JwtRoleStore;
  readonly authenticator: JwtAuthenticator;
  readonly logins: Pick<Logins, 'previewLogin' | 'refusal'>;
}

/** Says why a login would succeed or fail: what comes of it is found by the login itself, without its effects; then role by role. */
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

  /** A login that names no role is by the default role of the mount, which may have been removed. */
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

/** The token says who it is: a connection only has an address. */
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
