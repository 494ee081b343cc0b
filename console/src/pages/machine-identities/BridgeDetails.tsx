import { Link } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { day } from '../../format/time.ts';
import { forWhich, type Identity, ownerInWords, ownerOf, roleInWords } from './bridges.ts';
import styles from './chain.module.css';
import * as texts from './texts.ts';
import { useReach } from './use-reach.ts';
import type { KnownRole } from './use-roles.ts';

interface BridgeDetailsProps {
  readonly identity: Identity;
  readonly known: KnownRole;
  readonly onTest: () => void;
  readonly onGone: () => void;
}

/** Details of one identity: who can log in with it, the last login, accessible workspaces, and removal. */
export function BridgeDetails({ identity, known, onTest, onGone }: BridgeDetailsProps) {
  const { role, 'last-used-at': last, 'created-at': made } = identity.attributes;
  const owner = ownerInWords(identity);
  return (
    <section className={styles.details} aria-label={texts.to(role, owner)}>
      <div>
        <p>
          {sayOf(known)} <bdi>{texts.loginsWithActFor(forWhich(identity), owner)}</bdi>
        </p>
        <Facts
          of={[
            [texts.lastLogin, last ? <Ago key="last" time={last} /> : texts.never],
            [texts.created, day(made)],
            [texts.id, <Copyable key="id" text={identity.id} what={texts.id2} />],
          ]}
        />
        <p className={styles.actions}>
          <Button look="small" onClick={onTest}>
            {texts.testACertificate}
          </Button>
          <Destroy
            verb={texts.remove}
            what={texts.identity(role)}
            isRow
            run={() =>
              workspaces.send('DELETE /machine-identities/{machine_identity_id}', {
                path: { machine_identity_id: identity.id },
              })
            }
            onDone={async () => onGone()}
          >
            <p>{texts.removalHint}</p>
          </Destroy>
        </p>
      </div>
      <ReachList identity={identity} />
    </section>
  );
}

function sayOf(known: KnownRole): string {
  if (known === 'none') return texts.thisRoleDoesNot;
  return known ? roleInWords(known) : texts.youHaveNoPermission;
}

/** Workspaces that an identity can access, with its permissions. */
function ReachList({ identity }: { readonly identity: Identity }) {
  const { kind, id, organization } = ownerOf(identity);
  const reach = useReach(identity);
  if (!reach) return null;
  if (kind === 'agent pool') {
    return (
      <p className="soft">
        {texts.theAgentExecutesEach(reach.says)}{' '}
        <Link className="link" to="/$organization/agents/$pool" params={{ organization, pool: id }}>
          {texts.showAgentPool}
        </Link>
      </p>
    );
  }
  if (reach.total === 0) {
    return (
      <p className="soft">
        {texts.theTeamHasNo}{' '}
        <Link className="link" to="/$organization/teams/$team" params={{ organization, team: id }}>
          {texts.grantAccess}
        </Link>
      </p>
    );
  }
  return (
    <div>
      <ul className={styles.reached} aria-label={texts.accessibleWorkspaces}>
        {reach.some.map(({ name, id: workspace, may }) => (
          <li key={workspace}>
            <Link to="/$organization/workspaces/$workspace" params={{ organization, workspace: name }}>
              <bdi>{name}</bdi>
            </Link>
            <span className="soft">{may}</span>
          </li>
        ))}
      </ul>
      {reach.total > reach.some.length && <p className="soft">{texts.andMore(reach.total - reach.some.length)}</p>}
    </div>
  );
}
