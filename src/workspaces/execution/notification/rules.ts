import type { Issue } from '../../../lib/errors.ts';
import { isMailAddress } from '../../../mail/index.ts';
import { urlIssues } from '../../delivery/index.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { boundSecretIssues } from '../../platform/bound-secret.ts';
import { digestIssues, digestOf } from './digest/rules.ts';
import {
  DESTINATION_TYPES,
  type NotificationConfiguration,
  STORED_TRIGGERS,
  type StoredTrigger,
  TRIGGERS,
} from './notification.ts';
import { MAX_RECIPIENTS } from './resource.ts';
import type { ConfigurationInput } from './schema.ts';

/** Attributes that users set. */
export type ConfigurationSettings = Pick<
  NotificationConfiguration,
  'name' | 'destinationType' | 'enabled' | 'triggers' | 'url' | 'token' | 'emailUsers' | 'emailAddresses' | 'digest'
>;

/** Facts that decide about the validity of settings, besides themselves. */
export interface RuleContext {
  /** Whether the configuration is of a team. */
  readonly isOfTeam: boolean;
  /** Whether the operator allows emails to an address that is no member's. Undefined without an SMTP server. */
  readonly allowsAddress: ((address: string) => boolean) | undefined;
}

const NEW: Omit<ConfigurationSettings, 'destinationType'> = {
  name: '',
  enabled: false,
  triggers: [],
  url: '',
  token: null,
  emailUsers: [],
  emailAddresses: [],
  digest: null,
};

const NO_TOKEN = 'Token is allowed only for destination type generic, whose messages it signs';
const NO_URL = 'Url is not allowed for destination type email. Use email-addresses, or the relationship users';
const ONLY_MAIL = 'Recipients are allowed only for destination type email';

/** Validates a new configuration. @throws 422 with all errors */
export function settingsOfNew(input: ConfigurationInput, context: RuleContext): ConfigurationSettings {
  const destinationType = input.attributes?.['destination-type'];
  const known = DESTINATION_TYPES.find((type) => type === destinationType);
  if (known === undefined) throw unprocessable([attributeIssue('destination-type', unknownType(destinationType))]);
  return changed({ ...NEW, destinationType: known }, input, context);
}

/** Validates an update. @throws 422 with all errors */
export function settingsAfter(
  current: ConfigurationSettings,
  input: ConfigurationInput,
  context: RuleContext,
): ConfigurationSettings {
  const { 'destination-type': type } = input.attributes ?? {};
  if (type && type !== current.destinationType) {
    throw unprocessable([attributeIssue('destination-type', 'Destination type cannot be changed')]);
  }
  return changed(current, input, context);
}

/** Returns whether the configuration must be verified before it is stored. Emails need no verification. */
export function needsVerification(current: ConfigurationSettings | undefined, next: ConfigurationSettings): boolean {
  if (!next.enabled || next.destinationType === 'email') return false;
  return !current?.enabled || current.url !== next.url || current.token !== next.token;
}

function changed(current: ConfigurationSettings, input: ConfigurationInput, context: RuleContext) {
  const { attributes = {} } = input;
  const triggers = attributes.triggers === undefined ? current.triggers : (attributes.triggers ?? []);
  const next = {
    name: attributes.name === undefined ? current.name : (attributes.name ?? ''),
    destinationType: current.destinationType,
    enabled: attributes.enabled ?? current.enabled,
    triggers: [...new Set(triggers)],
    url: attributes.url === undefined ? current.url : (attributes.url ?? '').trim(),
    // Clients send an empty text for no token.
    token: attributes.token === undefined ? current.token : attributes.token || null,
    digest: attributes.digest === undefined ? current.digest : digestOf(attributes.digest),
    ...recipients(current, input),
  };
  const issues = [
    ...issuesOf(next, context.isOfTeam),
    ...recipientIssues(next, current.emailAddresses, context),
    ...digestIssues(next.digest),
    ...boundSecretIssues('token', 'Token', {
      isStored: current.token !== null,
      given: attributes.token,
      destination: { url: [current.url, next.url] },
    }),
  ];
  if (issues.length > 0) throw unprocessable(issues);
  return { ...next, triggers: next.triggers as StoredTrigger[] };
}

/**
 * Returns the recipients after a request. A request with anything replaces all of them: clients leave out an empty list,
 * and HCP Terraform removes users that a request does not name.
 */
function recipients(current: ConfigurationSettings, { attributes, relationships }: ConfigurationInput) {
  if (attributes === undefined && relationships === undefined) return current;
  return {
    emailUsers: [...new Set(relationships?.users?.data?.map(({ id }) => id))],
    emailAddresses: withoutRepeated(attributes?.['email-addresses'] ?? []),
  };
}

function withoutRepeated(addresses: readonly string[]): string[] {
  const byFolded = new Map(addresses.map((text) => [text.trim().toLowerCase(), text.trim()]));
  return [...byFolded.values()];
}

type Unchecked = Omit<ConfigurationSettings, 'triggers'> & { readonly triggers: readonly string[] };

function issuesOf({ name, destinationType, triggers, url, token }: Unchecked, isOfTeam: boolean): Issue[] {
  const allowed: readonly string[] = isOfTeam ? [...TRIGGERS, ...STORED_TRIGGERS] : TRIGGERS;
  const unknown = triggers.filter((trigger) => !allowed.includes(trigger));
  const isMail = destinationType === 'email';
  return [
    ...(name.trim() === '' ? [attributeIssue('name', "Name can't be blank")] : []),
    ...(isMail ? (url === '' ? [] : [attributeIssue('url', NO_URL)]) : urlIssues(url)),
    ...(unknown.length > 0 ? [attributeIssue('triggers', unknownTriggers(unknown, allowed))] : []),
    ...(token !== null && destinationType !== 'generic' ? [attributeIssue('token', NO_TOKEN)] : []),
  ];
}

/** @param stored addresses of the configuration before: the operator may have removed their domain since */
function recipientIssues(
  { destinationType, emailUsers, emailAddresses }: Unchecked,
  stored: readonly string[],
  { allowsAddress }: RuleContext,
): Issue[] {
  const users = '/data/relationships/users';
  if (destinationType !== 'email') {
    return [
      ...(emailAddresses.length > 0 ? [attributeIssue('email-addresses', ONLY_MAIL)] : []),
      ...(emailUsers.length > 0 ? [{ detail: ONLY_MAIL, pointer: users }] : []),
    ];
  }
  if (emailUsers.length + emailAddresses.length > MAX_RECIPIENTS) {
    return [{ detail: `A configuration has at most ${MAX_RECIPIENTS} recipients`, pointer: users }];
  }
  const invalid = emailAddresses.filter((address) => !isMailAddress(address));
  if (invalid.length > 0) {
    return [attributeIssue('email-addresses', `Email addresses contains invalid addresses: ${shown(invalid)}`)];
  }
  const added = allowsAddress === undefined ? [] : emailAddresses.filter((address) => !stored.includes(address));
  const strange = added.filter((address) => !allowsAddress?.(address));
  return strange.length === 0 ? [] : [attributeIssue('email-addresses', strangers(strange))];
}

const shown = (texts: readonly string[]): string => texts.join(', ').slice(0, 200);

function strangers(addresses: readonly string[]): string {
  return `This server sends no email to ${shown(addresses)}. Use the relationship users for members of the organization. The operator can allow other addresses by their domain, with smtp.recipient_domains`;
}

function unknownType(type: string | null | undefined): string {
  return type ? `Destination type is none of ${DESTINATION_TYPES.join(', ')}` : "Destination type can't be blank";
}

function unknownTriggers(unknown: readonly string[], allowed: readonly string[]): string {
  return `Triggers contains unknown values: ${shown(unknown)}. Allowed: ${allowed.join(', ')}`;
}
