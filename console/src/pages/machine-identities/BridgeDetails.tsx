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
import { useReach } from './use-reach.ts';
import type { KnownRole } from './use-roles.ts';

interface BridgeDetailsProps {
  readonly identity: Identity;
  readonly known: KnownRole;
  readonly onTest: () => void;
  readonly onGone: () => void;
}

/** One identity: who comes in by it, when somebody did, what they may do where, and its end. */
export function BridgeDetails({ identity, known, onTest, onGone }: BridgeDetailsProps) {
  const { role, 'last-used-at': last, 'created-at': made } = identity.attributes;
  const owner = ownerInWords(identity);
  return (
    <section className={styles.details} aria-label={`${role} to ${owner}`}>
      <div>
        <p>
          {sayOf(known)}{' '}
          <bdi>
            Of those, {forWhich(identity)} acts for {owner}.
          </bdi>
        </p>
        <Facts
          of={[
            ['Last came in', last ? <Ago key="last" time={last} /> : 'never'],
            ['Made', day(made)],
            ['Id', <Copyable key="id" text={identity.id} what="id" />],
          ]}
        />
        <p className={styles.actions}>
          <Button look="small" onClick={onTest}>
            Test a certificate…
          </Button>
          <Destroy
            verb="Remove"
            what={`identity ${role}`}
            isRow
            run={() =>
              workspaces.send('DELETE /machine-identities/{machine_identity_id}', {
                path: { machine_identity_id: identity.id },
              })
            }
            onDone={async () => onGone()}
          >
            <p>
              Machines that log in there do not act for <bdi>{owner}</bdi> any more. Their tokens stay, and open no
              workspace.
            </p>
          </Destroy>
        </p>
      </div>
      <ReachList identity={identity} />
    </section>
  );
}

function sayOf(known: KnownRole): string {
  if (known === 'none') return 'There is no such role: nobody comes in by it.';
  return known ? roleInWords(known) : 'Whom the role lets in is not for you to read.';
}

/** What may be done in which workspaces. */
function ReachList({ identity }: { readonly identity: Identity }) {
  const { kind, id, organization } = ownerOf(identity);
  const reach = useReach(identity);
  if (!reach) return null;
  if (kind === 'agent pool') {
    return (
      <p className="soft">
        As an agent it carries out {reach.says}: what a run needs its own token opens, and nothing else.{' '}
        <Link className="link" to="/$organization/agents/$pool" params={{ organization, pool: id }}>
          The agent pool
        </Link>
      </p>
    );
  }
  if (reach.total === 0) {
    return (
      <p className="soft">
        The team has no access to any workspace yet.{' '}
        <Link className="link" to="/$organization/teams/$team" params={{ organization, team: id }}>
          Give it some
        </Link>
      </p>
    );
  }
  return (
    <div>
      <ul className={styles.reached} aria-label="Workspaces that it reaches">
        {reach.some.map(({ name, id: workspace, may }) => (
          <li key={workspace}>
            <Link to="/$organization/workspaces/$workspace" params={{ organization, workspace: name }}>
              <bdi>{name}</bdi>
            </Link>
            <span className="soft">{may}</span>
          </li>
        ))}
      </ul>
      {reach.total > reach.some.length && <p className="soft">and {reach.total - reach.some.length} more</p>}
    </div>
  );
}
