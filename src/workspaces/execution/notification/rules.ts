import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { boundSecretIssues } from '../../platform/bound-secret.ts';
import { urlIssues } from '../webhook/address.ts';
import { DESTINATION_TYPES, type NotificationConfiguration, TRIGGERS, type Trigger } from './notification.ts';
import type { ConfigurationAttributes, ConfigurationInput } from './schema.ts';

/** What people set. */
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
  'Destination type cannot be email: this server sends no mail. Use generic, slack or microsoft-teams, with the address of a service that does';
const NO_TOKEN = 'Token signs messages of destination type generic, and of no other';

/** What a new one is to be. @throws 422 with everything that is wrong */
export function settingsOfNew(input: ConfigurationInput): ConfigurationSettings {
  const destinationType = input.attributes?.['destination-type'];
  const known = DESTINATION_TYPES.find((type) => type === destinationType);
  if (known === undefined) throw unprocessable([attributeIssue('destination-type', unknownType(destinationType))]);
  return changed({ ...NEW, destinationType: known }, input);
}

/** What it is to be from now on. @throws 422 with everything that is wrong */
export function settingsAfter(current: ConfigurationSettings, input: ConfigurationInput): ConfigurationSettings {
  const { 'destination-type': type } = input.attributes ?? {};
  if (type && type !== current.destinationType) {
    throw unprocessable([attributeIssue('destination-type', 'Destination type cannot be changed')]);
  }
  return changed(current, input);
}

/** Whether nobody knows yet that it works: it has to be tried before it is stored. */
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
    // Clients send an empty one for none.
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
  return `Triggers has what a workspace does not tell: ${unknown.join(', ').slice(0, 200)}. It tells ${TRIGGERS.join(', ')}`;
}
