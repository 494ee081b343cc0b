import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { summaryOf, verdictsOf } from '../../components/certificate/verdicts.ts';
import { Icon } from '../../components/icon/Icon.tsx';
import { counted } from '../../format/number.ts';
import { forWhich, type Identity, ownerInWords } from './bridges.ts';
import chain from './chain.module.css';
import { Node, Way } from './Node.tsx';
import { OwnerNode, ReachNode, RoleNode } from './nodes.tsx';
import styles from './test.module.css';
import { useReach } from './use-reach.ts';
import type { Followed, Tested } from './use-test.ts';
import type { View } from './view.ts';

interface OutcomeProps {
  readonly tested: Tested;
  readonly has: { readonly workspaces: boolean };
  readonly onAgain: () => void;
  readonly onShow: (change: View) => void;
}

/** What came of a test: the answer, then each way that the certificate could go, and where it stops. */
export function Outcome({ tested, has, onAgain, onShow }: OutcomeProps) {
  const { followed, refusing, mount, certificate } = tested;
  const arrives = followed.some(({ deciding }) => deciding && deciding.length > 0);
  return (
    <div aria-live="polite">
      <div className={styles.answer}>
        <Icon name={arrives ? 'gate-open' : 'gate-shut'} is={arrives ? 'good' : 'bad'} />
        <p className={styles.says}>{answerOf(tested, has.workspaces)}</p>
        <Button look="small" onClick={onAgain}>
          Another…
        </Button>
      </div>
      <ol className={styles.ways} aria-label="Ways of the certificate">
        {followed.flatMap((one) =>
          (one.deciding?.length ? one.deciding : [undefined]).map((identity) => (
            <li key={`${one.role.role} ${identity?.id ?? ''}`}>
              <TestedWay
                subject={certificate?.subject ?? ''}
                mount={mount}
                followed={one}
                identity={identity}
                hasWorkspaces={has.workspaces}
                onShow={onShow}
              />
            </li>
          )),
        )}
      </ol>
      {refusing > 0 && (
        <p className="soft">
          {counted(refusing, 'other role')} {refusing === 1 ? 'refuses' : 'refuse'} it too.{' '}
          <Link className="link" to="/~access/inspect" search={{ mount }}>
            Inspect it
          </Link>
        </p>
      )}
    </div>
  );
}

/** The answer to what was asked, first of all. */
function answerOf({ followed, mount }: Tested, hasWorkspaces: boolean): string {
  const admitting = followed.filter(({ role }) => role.admitted);
  if (followed.length === 0) return `No role of auth/${mount} lets it in`;
  const [role] = admitting;
  if (role === undefined) {
    const [only] = followed;
    return `It is not let in: ${followed.length === 1 ? `${only?.role.role} refuses it` : 'every role refuses it'}`;
  }
  const named = (some: readonly Followed[]) => some.map((one) => one.role.role).join(' and ');
  if (!hasWorkspaces) return `It is let in by ${named(admitting)}`;
  const arriving = admitting.filter(({ deciding }) => deciding?.length);
  if (arriving.length === 0) return `It is let in by ${named(admitting)}, and acts for nobody that you can see`;
  const owners = new Set(arriving.flatMap(({ deciding = [] }) => deciding.map(ownerInWords)));
  return `It is let in by ${named(arriving)}, and acts for ${[...owners].join(' and ')}`;
}

interface TestedWayProps {
  readonly subject: string;
  readonly mount: string;
  readonly followed: Followed;
  readonly identity: Identity | undefined;
  readonly hasWorkspaces: boolean;
  readonly onShow: (change: View) => void;
}

function TestedWay({ subject, mount, followed, identity, hasWorkspaces, onShow }: TestedWayProps) {
  const { role } = followed;
  const isIn = role.admitted;
  return (
    <>
      <div className={chain.one}>
        <Node icon="cert" title={<bdi>{subject}</bdi>} note="the certificate" light="lit" />
        <Way says={isIn ? 'is let in by the role' : 'is refused by the role'} gate light={isIn ? 'lit' : 'broken'} />
        <RoleNode
          mount={mount}
          role={role.role}
          known={undefined}
          light={isIn ? 'lit' : 'broken'}
          note={summaryOf(role)}
        />
        {identity ? (
          <Arrived identity={identity} />
        ) : (
          <>
            <Way says="acts for" light={isIn && hasWorkspaces ? 'broken' : 'dark'} />
            <Node
              icon="teams"
              title="Nobody"
              note={
                isIn
                  ? hasWorkspaces
                    ? 'no machine identity fits'
                    : 'sign in to workspaces to see'
                  : 'it does not come so far'
              }
              light={isIn && hasWorkspaces ? 'broken' : 'dark'}
            />
            <Way says="and reaches" light="dark" />
            <Node icon="workspaces" title="No workspace" note="it does not come so far" light="dark" />
          </>
        )}
      </div>
      {!isIn && <Refused followed={followed} mount={mount} />}
      {isIn && !identity && hasWorkspaces && <ForNobody followed={followed} mount={mount} onShow={onShow} />}
    </>
  );
}

/** Whom it acts for, and what that reaches. */
function Arrived({ identity }: { readonly identity: Identity }) {
  const reach = useReach(identity);
  const light = reach === undefined ? undefined : reach.total > 0 ? 'lit' : 'broken';
  return (
    <>
      <Way says="acts for" light="lit" />
      <OwnerNode identity={identity} light="lit" />
      <Way says="and reaches" light={light} />
      <ReachNode reach={reach} light={light} />
    </>
  );
}

/** Checks that are told here; the inspector has them all. */
const MOST = 3;

/** Which checks refuse it, in the server's own words, and what to do. */
function Refused({ followed: { role }, mount }: { readonly followed: Followed; readonly mount: string }) {
  const { refused } = verdictsOf(role);
  return (
    <div className={styles.next}>
      <ul>
        {refused.slice(0, MOST).map(({ check, expected, actual, hint }) => (
          <li key={check}>
            <code>{check}</code>: expected <code dir="auto">{expected}</code>, found <code dir="auto">{actual}</code>.{' '}
            {hint}
          </li>
        ))}
      </ul>
      <p>
        <Link className={buttonClass('small')} to="/~access/inspect" search={{ mount, role: role.role }}>
          All checks
        </Link>{' '}
        <Link
          className={buttonClass('small')}
          to="/~access/roles/$role"
          params={{ role: role.role }}
          search={{ mount }}
        >
          Change the role
        </Link>
      </p>
    </div>
  );
}

/** It is let in, and nothing comes of it. */
function ForNobody({
  followed: { role, identities },
  mount,
  onShow,
}: {
  readonly followed: Followed;
  readonly mount: string;
  readonly onShow: (change: View) => void;
}) {
  return (
    <div className={styles.next}>
      <p>
        {identities.length === 0
          ? 'Its token opens no workspace: no machine identity that you can see is for this role.'
          : `Its common name fits none of ${counted(identities.length, 'machine identity', 'machine identities')} of the role: `}
        <bdi>
          {identities
            .slice(0, MOST)
            .map((one) => `${ownerInWords(one)} takes ${forWhich(one)}`)
            .join('; ')}
        </bdi>
      </p>
      <p>
        <Button look="small" onClick={() => onShow({ mount, role: role.role, do: 'add' })}>
          Add an identity…
        </Button>
      </p>
    </div>
  );
}
