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

/** Fields of a write of a policy. */
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
    policy: 'Text in HCL or JSON, optionally base64-encoded.',
    cas: 'Required current version (check-and-set); -1: the policy must not exist.',
    cas_required: 'Whether later writes must set `cas`.',
    expiration: 'Time at which the policy expires.',
    ttl: 'Lifetime of the policy, instead of `expiration`.',
    allow_wildcards_in_identity_templates: 'Whether values of templates may contain * and +.',
    allow_slashes_in_identity_templates: 'Whether values of templates may contain slashes.',
  },
);

type Body = Readonly<Record<string, unknown>>;

/** A request's fields, besides the text of the policy. */
export interface SaidOfPolicy {
  /** Required version. Undefined: any. */
  readonly cas: number | undefined;
  /** The settings in the request. */
  readonly settings: Partial<PolicySettings>;
}

/**
 * @param known settings to keep if the request contains only a part of them
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
  version: shownInteger('Number of writes.'),
  cas_required: shownFlag('Whether a write must set the current version (`cas`).'),
  allow_wildcards_in_identity_templates: shownFlag(),
  allow_slashes_in_identity_templates: shownFlag(),
  expiration: optional(shownTime('Time at which the policy expires.')),
  modified: optional(shownTime()),
};
export const AclPolicy = component('AclPolicy', { name: shownText(), policy: shownText(), ...FACTS });
export const LegacyPolicy = component('LegacyPolicy', { name: shownText(), rules: shownText(), ...FACTS });

/** Returns the fields of a read, besides name and text. */
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
