import { type Clock, isoTime } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { PLAIN_VALUES, type TemplateAllowance } from '../acl/index.ts';
import { described, flag, integer, parseFields, seconds, text, time } from '../operation/fields.ts';
import {
  component,
  optional,
  flag as shownFlag,
  integer as shownInteger,
  text as shownText,
  time as shownTime,
} from '../operation/schema.ts';
import type { PolicySettings } from './policy-service.ts';
import type { PolicyRecord } from './policy-store.ts';

/** What can be said of a policy when it is written. */
export const POLICY_FIELDS = described(
  {
    policy: text(),
    cas: integer(),
    cas_required: flag(),
    expiration: time(),
    ttl: seconds(),
    allow_wildcards_in_identity_templates: flag(),
    allow_slashes_in_identity_templates: flag(),
  },
  {
    policy: 'Its text, in HCL or JSON, or either in base64.',
    cas: 'The version that it has to have now; -1: it must not be there.',
    cas_required: 'Whether later writes have to name `cas`.',
    expiration: 'When it ends.',
    ttl: 'How long it lives, in place of `expiration`.',
    allow_wildcards_in_identity_templates: 'Whether what templates stand for may hold * and +.',
    allow_slashes_in_identity_templates: 'Whether what templates stand for may hold slashes.',
  },
);

type Body = Readonly<Record<string, unknown>>;

/** What a request says of a policy besides its text. */
export interface SaidOfPolicy {
  /** The version that it means; undefined: whatever is there. */
  readonly cas: number | undefined;
  /** Whether each of these was named, and what for. */
  readonly settings: Partial<PolicySettings>;
}

/**
 * @param known what stays of a setting of which a part is said
 * @throws AppError bad-request
 */
export function saidOfPolicy(body: Body, clock: Clock, known?: Pick<PolicyRecord, 'allowance'>): SaidOfPolicy {
  const { values } = parseFields(POLICY_FIELDS, body);
  const allowance = allowanceOf(values, known?.allowance);
  const expiresAt = expiryOf(values, clock);
  return {
    cas: values.cas,
    settings: {
      ...(values.cas_required !== undefined && { casRequired: values.cas_required }),
      ...(allowance && { allowance }),
      ...(expiresAt !== undefined && { expiresAt }),
    },
  };
}

type Values = Partial<{ [K in keyof typeof POLICY_FIELDS]: ReturnType<(typeof POLICY_FIELDS)[K]['parse']> }>;

function allowanceOf(values: Values, known: TemplateAllowance = PLAIN_VALUES): TemplateAllowance | undefined {
  const { allow_wildcards_in_identity_templates: wildcards, allow_slashes_in_identity_templates: slashes } = values;
  if (wildcards === undefined && slashes === undefined) return undefined;
  return { wildcards: wildcards ?? known.wildcards, slashes: slashes ?? known.slashes };
}

function expiryOf({ expiration, ttl }: Values, clock: Clock): number | null | undefined {
  if (expiration !== undefined && ttl !== undefined)
    throw new AppError('bad-request', "cannot supply both 'expiration' and 'ttl' for policies");
  return ttl === undefined ? expiration : clock() + ttl * 1000;
}

const FACTS = {
  version: shownInteger('How often it was written.'),
  cas_required: shownFlag('Whether a write has to name the version that it means.'),
  allow_wildcards_in_identity_templates: shownFlag(),
  allow_slashes_in_identity_templates: shownFlag(),
  expiration: optional(shownTime('From then on the policy is not there.')),
  modified: optional(shownTime()),
};
export const AclPolicy = component('AclPolicy', { name: shownText(), policy: shownText(), ...FACTS });
export const LegacyPolicy = component('LegacyPolicy', { name: shownText(), rules: shownText(), ...FACTS });

/** What reading a policy shows, besides its name and its text. */
export function policyFacts({ version, casRequired, allowance, expiresAt, modifiedAt }: PolicyRecord) {
  return {
    version,
    cas_required: casRequired,
    allow_wildcards_in_identity_templates: allowance.wildcards,
    allow_slashes_in_identity_templates: allowance.slashes,
    ...(expiresAt !== null && { expiration: isoTime(expiresAt) }),
    ...(modifiedAt !== null && { modified: isoTime(modifiedAt) }),
  };
}
