import { Icon } from '../../components/icon/Icon.tsx';
import { BridgeDetails } from './BridgeDetails.tsx';
import { type Identity, ownerInWords, type RoleGroup } from './bridges.ts';
import styles from './chain.module.css';
import { Way } from './Node.tsx';
import { CertificatesNode, OwnerNode, ReachNode, RoleNode } from './nodes.tsx';
import * as texts from './texts.ts';
import { useReach } from './use-reach.ts';
import type { KnownRole } from './use-roles.ts';

interface RoleChainProps {
  readonly group: RoleGroup;
  readonly known: KnownRole;
  /** Id of the expanded identity. */
  readonly open: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  readonly onTest: () => void;
}

/** One role with a branch for each team and agent pool that its logins act for. */
export function RoleChain({ group, known, open, onOpen, onTest }: RoleChainProps) {
  const opened = group.identities.find(({ id }) => id === open);
  return (
    <li className={styles.group}>
      <div className={styles.chain}>
        <div className={styles.stem}>
          <CertificatesNode known={known} />
          <Way says={texts.logInWithTheRole} gate />
          <RoleNode mount={group.mount} role={group.role} known={known} />
        </div>
        <ul className={styles.branches}>
          {group.identities.map((identity) => (
            <Branch
              key={identity.id}
              identity={identity}
              isOpen={identity.id === open}
              onOpen={() => onOpen(identity.id === open ? undefined : identity.id)}
            />
          ))}
        </ul>
      </div>
      {opened && <BridgeDetails identity={opened} known={known} onTest={onTest} onGone={() => onOpen(undefined)} />}
    </li>
  );
}

interface BranchProps {
  readonly identity: Identity;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Branch({ identity, isOpen, onOpen }: BranchProps) {
  const reach = useReach(identity);
  return (
    <li className={`${styles.branch} ${isOpen ? styles.open : ''}`}>
      <span className="sr">{texts.actsFor}</span>
      <OwnerNode identity={identity} />
      <Way says={texts.whichCanAccess} />
      <ReachNode reach={reach} />
      <button
        type="button"
        className={styles.more}
        aria-expanded={isOpen}
        aria-label={texts.to2(identity.attributes.role, ownerInWords(identity))}
        onClick={onOpen}
      >
        <Icon name="down" />
      </button>
    </li>
  );
}
