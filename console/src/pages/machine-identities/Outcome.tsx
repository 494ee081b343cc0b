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
import * as texts from './texts.ts';
import { useReach } from './use-reach.ts';
import type { Followed, Tested } from './use-test.ts';
import type { View } from './view.ts';

interface OutcomeProps {
  readonly tested: Tested;
  readonly has: { readonly workspaces: boolean };
  readonly onAgain: () => void;
  readonly onShow: (change: View) => void;
}

/** Result of a test: the response, then each path of the certificate and where it stops. */
export function Outcome({ tested, has, onAgain, onShow }: OutcomeProps) {
  const { followed, refusing, mount, certificate } = tested;
  const arrives = followed.some(({ deciding }) => deciding && deciding.length > 0);
  return (
    <div aria-live="polite">
      <div className={styles.answer}>
        <Icon name={arrives ? 'gate-open' : 'gate-shut'} is={arrives ? 'good' : 'bad'} />
        <p className={styles.says}>{answerOf(tested, has.workspaces)}</p>
        <Button look="small" onClick={onAgain}>
          {texts.testAnother}
        </Button>
      </div>
      <ol className={styles.ways} aria-label={texts.pathsOfTheCertificate}>
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
          {texts.itToo(counted(refusing, texts.otherRole), refusing === 1 ? texts.refuses : texts.refuse)}{' '}
          <Link className="link" to="/~access/inspect" search={{ mount }}>
            {texts.inspectCertificate}
          </Link>
        </p>
      )}
    </div>
  );
}

/** Says in a sentence whether the certificate is accepted, and which teams or agent pool it acts for. */
function answerOf({ followed, mount }: Tested, hasWorkspaces: boolean): string {
  const admitting = followed.filter(({ role }) => role.admitted);
  if (followed.length === 0) return texts.noRoleOfAuth(mount);
  const [role] = admitting;
  if (role === undefined) {
    const [only] = followed;
    return texts.itIsNotAccepted(followed.length === 1 ? texts.refusesIt(only?.role.role) : texts.everyRoleRefusesIt);
  }
  const named = (some: readonly Followed[]) => some.map((one) => one.role.role).join(' and ');
  if (!hasWorkspaces) return texts.acceptedBy(named(admitting));
  const arriving = admitting.filter(({ deciding }) => deciding?.length);
  if (arriving.length === 0) return texts.acceptedByButActs(named(admitting));
  const owners = new Set(arriving.flatMap(({ deciding = [] }) => deciding.map(ownerInWords)));
  return texts.acceptedByActsFor(named(arriving), [...owners].join(' and '));
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
        <Node icon="cert" title={<bdi>{subject}</bdi>} note={texts.theCertificate} light="lit" />
        <Way says={isIn ? texts.isAcceptedByTheRole : texts.isRefusedByTheRole} gate light={isIn ? 'lit' : 'broken'} />
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
            <Way says={texts.actsFor} light={isIn && hasWorkspaces ? 'broken' : 'dark'} />
            <Node
              icon="teams"
              title={texts.noTeamOrAgentPool}
              note={
                isIn ? (hasWorkspaces ? texts.noMatchingMachineIdentity : texts.signInToWorkspaces3) : texts.notReached
              }
              light={isIn && hasWorkspaces ? 'broken' : 'dark'}
            />
            <Way says={texts.andCanAccess} light="dark" />
            <Node icon="workspaces" title={texts.noWorkspace} note={texts.notReached} light="dark" />
          </>
        )}
      </div>
      {!isIn && <Refused followed={followed} mount={mount} />}
      {isIn && !identity && hasWorkspaces && <ForNobody followed={followed} mount={mount} onShow={onShow} />}
    </>
  );
}

/** Owner of the identity, and the workspaces that it can access. */
function Arrived({ identity }: { readonly identity: Identity }) {
  const reach = useReach(identity);
  const light = reach === undefined ? undefined : reach.total > 0 ? 'lit' : 'broken';
  return (
    <>
      <Way says={texts.actsFor} light="lit" />
      <OwnerNode identity={identity} light="lit" />
      <Way says={texts.andCanAccess} light={light} />
      <ReachNode reach={reach} light={light} />
    </>
  );
}

/** Number of checks shown here; the inspector shows all. */
const MOST = 3;

/** Failed checks in the server's words, with suggested actions. */
function Refused({ followed: { role }, mount }: { readonly followed: Followed; readonly mount: string }) {
  const { refused } = verdictsOf(role);
  return (
    <div className={styles.next}>
      <ul>
        {refused.slice(0, MOST).map(({ check, expected, actual, hint }) => (
          <li key={check}>
            <code>{check}</code>
            {texts.expected} <code dir="auto">{expected}</code>
            {texts.actual} <code dir="auto">{actual}</code>. {hint}
          </li>
        ))}
      </ul>
      <p>
        <Link className={buttonClass('small')} to="/~access/inspect" search={{ mount, role: role.role }}>
          {texts.showAllChecks}
        </Link>{' '}
        <Link
          className={buttonClass('small')}
          to="/~access/roles/$role"
          params={{ role: role.role }}
          search={{ mount }}
        >
          {texts.editRole}
        </Link>
      </p>
    </div>
  );
}

/** The role accepts the certificate, but no identity matches it. */
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
          ? texts.itsTokenGivesNo
          : texts.itsCommonNameMatches(counted(identities.length, texts.machineIdentity, texts.machineIdentities2))}
        <bdi>
          {identities
            .slice(0, MOST)
            .map((one) => texts.accepts(ownerInWords(one), forWhich(one)))
            .join('; ')}
        </bdi>
      </p>
      <p>
        <Button look="small" onClick={() => onShow({ mount, role: role.role, do: 'add' })}>
          {texts.addMachineIdentity}
        </Button>
      </p>
    </div>
  );
}
