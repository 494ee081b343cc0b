import type { Issue } from '../../../lib/errors.ts';
import { urlIssues } from '../../delivery/index.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { boundSecretIssues } from '../../platform/bound-secret.ts';
import { DESTINATION_TYPES, type NotificationConfiguration, TRIGGERS, type Trigger } from './notification.ts';
import type { ConfigurationAttributes, ConfigurationInput } from './schema.ts';

/** Attributes that users set. */
export type ConfigurationSettings = Pick<
  NotificationConfiguration,
  'name' | 'destinationType' | 'enabled' | 'triggers' | 'url' | 'token'
>;

const NEW: Omit<ConfigurationSettings, 'destinationType'> = {
  name: '',
  enabled: false,
  triggers: [],
  url: '',
  token: null,
};

const NO_MAIL =
  'Destination type cannot be email, because this server sends no email. Use generic, slack or microsoft-teams with the URL of a service that sends email';
const NO_TOKEN = 'Token is allowed only for destination type generic, whose messages it signs';

/** Validates a new configuration. @throws 422 with all errors */
export function settingsOfNew(input: ConfigurationInput): ConfigurationSettings {
  const destinationType = input.attributes?.['destination-type'];
  const known = DESTINATION_TYPES.find((type) => type === destinationType);
  if (known === undefined) throw unprocessable([attributeIssue('destination-type', unknownType(destinationType))]);
  return changed({ ...NEW, destinationType: known }, input);
}

/** Validates an update. @throws 422 with all errors */
export function settingsAfter(current: ConfigurationSettings, input: ConfigurationInput): ConfigurationSettings {
  const { 'destination-type': type } = input.attributes ?? {};
  if (type && type !== current.destinationType) {
    throw unprocessable([attributeIssue('destination-type', 'Destination type cannot be changed')]);
  }
  return changed(current, input);
}

/** Returns whether the configuration must be verified before it is stored. */
export function needsVerification(current: ConfigurationSettings | undefined, next: ConfigurationSettings): boolean {
  if (!next.enabled) return false;
  return !current?.enabled || current.url !== next.url || current.token !== next.token;
}

function changed(current: ConfigurationSettings, { attributes = {}, relationships }: ConfigurationInput) {
  const triggers = attributes.triggers === undefined ? current.triggers : (attributes.triggers ?? []);
  const next = {
    name: attributes.name === undefined ? current.name : (attributes.name ?? ''),
    destinationType: current.destinationType,
    enabled: attributes.enabled ?? current.enabled,
    triggers: [...new Set(triggers)],
    url: attributes.url === undefined ? current.url : (attributes.url ?? '').trim(),
    // Clients send an empty text for no token.
    token: attributes.token === undefined ? current.token : attributes.token || null,
  };
  const issues = [
    ...issuesOf(next),
    ...mailIssues(attributes, relationships?.users?.data?.length ?? 0),
    ...boundSecretIssues('token', 'Token', {
      isStored: current.token !== null,
      given: attributes.token,
      destination: { url: [current.url, next.url] },
    }),
  ];
  if (issues.length > 0) throw unprocessable(issues);
  return { ...next, triggers: next.triggers as Trigger[] };
}

type Unchecked = Omit<ConfigurationSettings, 'triggers'> & { readonly triggers: readonly string[] };

function issuesOf({ name, destinationType, triggers, url, token }: Unchecked): Issue[] {
  const unknown = triggers.filter((trigger) => !(TRIGGERS as readonly string[]).includes(trigger));
  return [
    ...(name.trim() === '' ? [attributeIssue('name', "Name can't be blank")] : []),
    ...urlIssues(url),
    ...(unknown.length > 0 ? [attributeIssue('triggers', unknownTriggers(unknown))] : []),
    ...(token !== null && destinationType !== 'generic' ? [attributeIssue('token', NO_TOKEN)] : []),
  ];
}

function mailIssues({ 'email-addresses': addresses }: ConfigurationAttributes, users: number): Issue[] {
  return [
    ...(addresses && addresses.length > 0 ? [attributeIssue('email-addresses', NO_MAIL)] : []),
    ...(users > 0 ? [{ detail: NO_MAIL, pointer: '/data/relationships/users' }] : []),
  ];
}

function unknownType(type: string | null | undefined): string {
  if (!type) return "Destination type can't be blank";
  return type === 'email' ? NO_MAIL : `Destination type is none of ${DESTINATION_TYPES.join(', ')}`;
}

function unknownTriggers(unknown: readonly string[]): string {
  return `Triggers contains unknown values: ${unknown.join(', ').slice(0, 200)}. Allowed: ${TRIGGERS.join(', ')}`;
}
