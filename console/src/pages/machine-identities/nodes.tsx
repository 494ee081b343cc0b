import { Link } from '@tanstack/react-router';
import { long } from '../../format/time.ts';
import { type Identity, namesIn, ownerOf, type RoleRef } from './bridges.ts';
import { type Light, Node } from './Node.tsx';
import * as texts from './texts.ts';
import type { Reach } from './use-reach.ts';
import type { KnownRole } from './use-roles.ts';

/** Certificates that a role accepts. */
export function CertificatesNode({ known }: { readonly known: KnownRole }) {
  if (known === 'none')
    return <Node icon="cert" title={texts.noCertificate} note={texts.theRoleDoesNotExist} light="dark" />;
  if (known === undefined) return <Node icon="cert" title={texts.certificates} note={texts.definedByTheRole} />;
  const [first, ...others] = known.authorities;
  return (
    <Node
      icon="cert"
      title={<bdi>{first?.subject ?? texts.noCa}</bdi>}
      note={
        <bdi>
          {[namesIn(known) || texts.anyName, others.length > 0 && `+${others.length}`].filter(Boolean).join(' ')}
        </bdi>
      }
    />
  );
}

interface RoleNodeProps extends RoleRef {
  readonly known: KnownRole;
  readonly light?: Light | undefined;
  /** Replaces the lifetime of the tokens. */
  readonly note?: string | undefined;
}

export function RoleNode({ mount, role, known, light, note }: RoleNodeProps) {
  const life = typeof known === 'object' && known.token_ttl > 0 && texts.tokenValidFor(long(known.token_ttl));
  return (
    <Node
      icon="role"
      light={known === 'none' ? 'broken' : light}
      title={
        known === 'none' ? (
          <bdi>{role}</bdi>
        ) : (
          <Link to="/~access/roles/$role" params={{ role }} search={{ mount }}>
            <bdi>{role}</bdi>
          </Link>
        )
      }
      note={note ?? [`auth/${mount}`, known === 'none' ? texts.notFound : life].filter(Boolean).join(', ')}
    />
  );
}

export function OwnerNode({ identity, light }: { readonly identity: Identity; readonly light?: Light | undefined }) {
  const { kind, id, organization, name } = ownerOf(identity);
  const title = <bdi>{name}</bdi>;
  return (
    <Node
      icon={kind === 'team' ? 'teams' : 'agents'}
      light={light}
      title={
        kind === 'team' ? (
          <Link to="/$organization/teams/$team" params={{ organization, team: id }}>
            {title}
          </Link>
        ) : (
          <Link to="/$organization/agents/$pool" params={{ organization, pool: id }}>
            {title}
          </Link>
        )
      }
      note={
        <>
          {texts.forText} <bdi>{identity.attributes['common-name'] ?? texts.anyName}</bdi>
          {texts.ofText(kind)} <bdi>{organization}</bdi>
        </>
      }
    />
  );
}

export function ReachNode({ reach, light }: { readonly reach: Reach | undefined; readonly light?: Light | undefined }) {
  return <Node icon="workspaces" light={light} title={reach?.says ?? '…'} note={<bdi>{reach?.names ?? ' '}</bdi>} />;
}
