import type { AccessSchemas, Resources } from '../../api/client.ts';
import { counted } from '../../format/number.ts';
import { long } from '../../format/time.ts';
import * as texts from './texts.ts';

export type Identity = Resources['machine-identities'];
export type RoleInfo = AccessSchemas['CertRoleInfo'];

/** A role of a mount. */
export interface RoleRef {
  readonly mount: string;
  readonly role: string;
}

/** A role with its machine identities. */
export interface RoleGroup extends RoleRef {
  readonly identities: readonly Identity[];
}

export const keyOf = ({ mount, role }: RoleRef): string => JSON.stringify([mount, role]);

/** Groups identities by role, in their order. */
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

/** Returns the team or agent pool that an identity acts for. */
export const ownerOf = ({ attributes, relationships }: Identity) => ({
  kind: relationships.team.data === null ? ('agent pool' as const) : ('team' as const),
  id: (relationships.team.data ?? relationships['agent-pool'].data)?.id ?? '',
  organization: relationships.organization.data?.id ?? '',
  name: attributes['acts-for'],
});

/** Returns the owner in words: `team deploy`. */
export function ownerInWords(identity: Identity): string {
  const { kind, name } = ownerOf(identity);
  return `${kind} ${name}`;
}

/** Describes which certificates of the role an identity accepts. */
export function forWhich({ attributes: { 'common-name': name } }: Identity): string {
  return name === null ? texts.anyCommonName : texts.commonName2(name);
}

const NAMES = [
  ['allowed_names', texts.aName],
  ['allowed_common_names', texts.aCommonName],
  ['allowed_dns_sans', texts.aDnsName],
  ['allowed_email_sans', texts.anEmailAddress],
  ['allowed_uri_sans', texts.aUri],
  ['allowed_organizational_units', texts.anOrganizationalUnit],
  ['allowed_organizations', texts.anOrganization],
  ['allowed_ip_sans', texts.anIpAddress],
  ['allowed_other_sans', texts.anotherName],
  ['allowed_subject_attributes', texts.aSubjectAttribute],
] as const satisfies readonly (readonly [keyof RoleInfo, string])[];

/** Maximum number of patterns shown of each kind. */
const MOST = 3;

function some(patterns: readonly string[]): string {
  const more = patterns.length - MOST;
  return `${patterns.slice(0, MOST).join(' or ')}${more > 0 ? texts.or(counted(more, 'other')) : ''}`;
}

/** Lists the name constraints of a role; empty if it has none. */
export function namesIn(info: RoleInfo): string {
  return NAMES.flatMap(([field]) => info[field] ?? []).join(', ');
}

/** Describes in a sentence which certificates a role accepts. */
export function roleInWords(info: RoleInfo): string {
  const issuers = info.authorities.map(({ subject }) => subject);
  const wanted = NAMES.flatMap(([field, words]) => {
    const patterns = info[field] ?? [];
    return patterns.length === 0 ? [] : [texts.like(words, some(patterns))];
  });
  const more = [
    (info.required_extensions ?? []).length > 0 &&
      texts.inTheCertificate(counted((info.required_extensions ?? []).length, texts.requiredExtension)),
    info.ocsp_enabled && texts.aGoodOcspResponse,
    info.token_bound_cidrs.length > 0 && texts.aSourceAddressIn(some(info.token_bound_cidrs)),
  ].filter(Boolean);
  const names = [...wanted, ...more].join(', ');
  return texts.acceptsCertificatesIssuedBy(
    some(issuers),
    names ? texts.with(names) : texts.withAnyNames,
    livesInWords(info),
  );
}

/** Describes the lifetime of a role's tokens. */
function livesInWords({ token_ttl: ttl, token_num_uses: uses }: RoleInfo): string {
  const life = ttl > 0 ? texts.itsTokensAreValidFor(long(ttl)) : texts.itsTokensAreValid;
  return `${life}${uses > 0 ? texts.forAtMost(counted(uses, 'request')) : ''}.`;
}

/** Permissions from most to least. The first permission that is granted describes the access. */
const LEVELS = [
  ['can-update', texts.administers],
  ['can-create-state-versions', texts.writes],
  ['can-queue-apply', texts.applies],
  ['can-queue-run', texts.plans],
  ['can-read-settings', texts.reads],
] as const;

/** Describes access to a workspace in a word or two. */
export function accessInWords(permissions: Readonly<Record<string, boolean>>): string {
  const level = LEVELS.find(([name]) => permissions[name])?.[1] ?? texts.sees;
  return permissions['can-lock'] && level !== 'administers' ? texts.locks(level) : level;
}
