import type { AccessSchemas, Resources } from '../../api/client.ts';
import { counted } from '../../format/number.ts';
import { long } from '../../format/time.ts';

export type Identity = Resources['machine-identities'];
export type RoleInfo = AccessSchemas['CertRoleInfo'];

/** Where a certificate logs in. */
export interface RoleRef {
  readonly mount: string;
  readonly role: string;
}

/** A role, and all that its logins act for. */
export interface RoleGroup extends RoleRef {
  readonly identities: readonly Identity[];
}

export const keyOf = ({ mount, role }: RoleRef): string => JSON.stringify([mount, role]);

/** Those of one role stand together, in the order in which they come. */
export function groupsOf(identities: readonly Identity[]): readonly RoleGroup[] {
  const groups = new Map<string, RoleGroup & { identities: Identity[] }>();
  for (const identity of identities) {
    const { mount, role } = identity.attributes;
    const known = groups.get(keyOf({ mount, role }));
    if (known) known.identities.push(identity);
    else groups.set(keyOf({ mount, role }), { mount, role, identities: [identity] });
  }
  return [...groups.values()];
}

/** What a machine is by it. */
export const ownerOf = ({ attributes, relationships }: Identity) => ({
  kind: relationships.team.data === null ? ('agent pool' as const) : ('team' as const),
  id: (relationships.team.data ?? relationships['agent-pool'].data)?.id ?? '',
  organization: relationships.organization.data?.id ?? '',
  name: attributes['acts-for'],
});

/** `team deploy` */
export function ownerInWords(identity: Identity): string {
  const { kind, name } = ownerOf(identity);
  return `${kind} ${name}`;
}

/** Which of those that come in by the role it is for. */
export function forWhich({ attributes: { 'common-name': name } }: Identity): string {
  return name === null ? 'any common name' : `common name ${name}`;
}

const NAMES = [
  ['allowed_names', 'a name'],
  ['allowed_common_names', 'the common name'],
  ['allowed_dns_sans', 'a DNS name'],
  ['allowed_email_sans', 'an email address'],
  ['allowed_uri_sans', 'a URI'],
  ['allowed_organizational_units', 'a unit'],
] as const satisfies readonly (readonly [keyof RoleInfo, string])[];

/** Patterns that are told of each kind. */
const MOST = 3;

function some(patterns: readonly string[]): string {
  const more = patterns.length - MOST;
  return `${patterns.slice(0, MOST).join(' or ')}${more > 0 ? ` or ${counted(more, 'other')}` : ''}`;
}

/** What names have to stand in a certificate, shortly; empty for any. */
export function namesIn(info: RoleInfo): string {
  return NAMES.flatMap(([field]) => info[field] ?? []).join(', ');
}

/** Whom a role lets in, in a sentence. */
export function roleInWords(info: RoleInfo): string {
  const issuers = info.authorities.map(({ subject }) => subject);
  const wanted = NAMES.flatMap(([field, words]) => {
    const patterns = info[field] ?? [];
    return patterns.length === 0 ? [] : [`${words} like ${some(patterns)}`];
  });
  const more = [
    (info.required_extensions ?? []).length > 0 &&
      `${counted((info.required_extensions ?? []).length, 'extension')} that it asks for`,
    info.ocsp_enabled && 'and OCSP that says it is not revoked',
    info.token_bound_cidrs.length > 0 && `and coming from ${some(info.token_bound_cidrs)}`,
  ].filter(Boolean);
  const names = [...wanted, ...more].join(', ');
  return `It lets in certificates of ${some(issuers)}${names ? `, with ${names}` : ', whatever their names'}. ${livesInWords(info)}`;
}

/** How long a login is good for. */
function livesInWords({ token_ttl: ttl, token_num_uses: uses }: RoleInfo): string {
  const life = ttl > 0 ? `A login is good for ${long(ttl)}` : 'A login is good for as long as the mount says';
  return `${life}${uses > 0 ? `, and for ${counted(uses, 'request')}` : ''}.`;
}

/** From the most to the least: the first that is given says most. */
const LEVELS = [
  ['can-update', 'administers'],
  ['can-create-state-versions', 'writes'],
  ['can-queue-apply', 'applies'],
  ['can-queue-run', 'plans'],
  ['can-read-settings', 'reads'],
] as const;

/** What somebody may do with a workspace, in a word or two. */
export function accessInWords(permissions: Readonly<Record<string, boolean>>): string {
  const level = LEVELS.find(([name]) => permissions[name])?.[1] ?? 'sees';
  return permissions['can-lock'] && level !== 'administers' ? `${level}, locks` : level;
}
