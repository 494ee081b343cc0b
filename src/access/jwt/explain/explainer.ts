import { type Finding, type JsonObject, parseToken } from '../../../jwt/index.ts';
import { AppError } from '../../../lib/errors.ts';
import { allPassed, type LoginCall } from '../../method/index.ts';
import { anyObject, component, flag, integer, listOf, optional, orNull, text, word } from '../../operation/schema.ts';
import { type Admission, type AdmissionParts, notToken } from '../admission/admission.ts';
import { judge } from '../admission/judge.ts';
import type { JwtRoleStore } from '../admission/roles.ts';

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
  admitted: flag(),
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
    admitted: flag('Whether any of the roles would let it in.'),
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
  algorithm: 'Name the algorithm in jwt_supported_algs, if the issuer is to use it.',
  signature:
    'Look at where the configuration finds the keys. Those of an unknown key are fetched again every ten seconds at most.',
  issuer: 'Set bound_issuer to what the tokens of this issuer say.',
  bound_audiences: 'Have the issuer name the audience that the role binds, or bind the one that it names.',
  expiration: 'Get a new token, or set clock_skew_leeway where clocks differ.',
  not_before: 'Set clock_skew_leeway where clocks differ.',
  issued_at: 'Set clock_skew_leeway where clocks differ.',
};

/** Says why a login would succeed or fail. Issues nothing. */
export class Explainer {
  readonly #parts: AdmissionParts & { readonly store: JwtRoleStore; readonly admission: Admission };

  constructor(parts: AdmissionParts & { readonly store: JwtRoleStore; readonly admission: Admission }) {
    this.#parts = parts;
  }

  async explain({ role, jwt, address }: ExplainRequest, { mount, peer }: LoginCall): Promise<Record<string, unknown>> {
    const { roles, admission, clock } = this.#parts;
    const config = roles.config(mount);
    if (!config) throw new AppError('bad-request', 'could not load configuration');
    const token = parseToken(jwt);
    if (typeof token === 'string') return explanation(undefined, [notToken(token)], [], 0);
    const signature = await admission.verify(token, config);
    const { names, leftOut } = await this.#names(role);
    const explained: ExplainedRole[] = [];
    for (const name of names) {
      const settings = await roles.find(name, mount);
      if (!settings) continue;
      const presented = { claims: token.claims, issuer: admission.issuer(config), address: address || peer.address };
      const { findings, bearer } = judge(name, settings, { ...presented, now: clock() });
      const admitted = allPassed([...signature, ...findings]);
      explained.push({ role: name, admitted, alias_name: bearer.name, verdicts: findings.map(withHint) });
    }
    return explanation(token, signature, explained, leftOut);
  }

  async #names(role: string): Promise<{ names: readonly string[]; leftOut: number }> {
    if (role !== '') return { names: [role.toLowerCase()], leftOut: 0 };
    const names = await this.#parts.store.names('', MAX_ROLES + 1);
    return { names: names.slice(0, MAX_ROLES), leftOut: Math.max(0, names.length - MAX_ROLES) };
  }
}

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
): Record<string, unknown> {
  return {
    algorithm: token?.algorithm ?? null,
    key_id: token?.keyId ?? null,
    claims: token?.claims ?? null,
    admitted: roles.some(({ admitted }) => admitted),
    verdicts: verdicts.map(withHint),
    roles,
    roles_left_out: leftOut,
  };
}

function withHint(verdict: Finding): Finding & { readonly hint?: string } {
  const hint = verdict.outcome === 'refused' ? HINTS[verdict.check] : undefined;
  return hint === undefined ? verdict : { ...verdict, hint };
}
