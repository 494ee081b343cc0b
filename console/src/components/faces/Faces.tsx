import type { ReactNode } from 'react';
import type { ApiError } from '../../api/error.ts';
import { Button } from '../button/Button.tsx';
import { Copyable } from '../copy/Copyable.tsx';
import { Facts } from '../facts/Facts.tsx';
import { Icon } from '../icon/Icon.tsx';
import styles from './faces.module.css';

interface EmptyProps {
  readonly title: string;
  /** One sentence: what would be here. */
  readonly children: ReactNode;
  /** One thing to do about it. */
  readonly action?: ReactNode;
  /** The same on the command line. */
  readonly command?: string;
  /** It is all of the page. */
  readonly isPage?: boolean;
}

/** Nothing is here, and that is no fault. */
export function Empty({ title, children, action, command, isPage = false }: EmptyProps) {
  return (
    <div className={styles.says}>
      <Icon name="gate-open" className={styles.big ?? ''} />
      <Heading isPage={isPage}>
        <bdi>{title}</bdi>
      </Heading>
      <p className="soft">{children}</p>
      {action && <div className={styles.actions}>{action}</div>}
      {command && <code className={styles.code}>{command}</code>}
    </div>
  );
}

/** Of a face that is all of a page, or a part of one. */
function Heading({ isPage = false, children }: { readonly isPage?: boolean; readonly children: ReactNode }) {
  return isPage ? <h1 className={styles.heading}>{children}</h1> : <h2>{children}</h2>;
}

interface FaultProps {
  /** `Workspaces`: what could not be read. */
  readonly what: string;
  readonly error: ApiError;
  readonly onRetry: () => void;
  /** It is all of the page. */
  readonly isPage?: boolean;
}

/** The server could not, or was not there. */
export function Fault({ what, error, onRetry, isPage = false }: FaultProps) {
  return (
    <div className={styles.says} role="alert">
      <Icon name="warn" is="bad" />
      <Heading isPage={isPage}>{what} could not be read</Heading>
      <div className={styles.facts}>
        <Facts
          of={[
            [
              'Answer',
              <code key="answer">{error.status === 0 ? error.message : `${error.status} ${error.message}`}</code>,
            ],
            ['Request', error.requestId && <Copyable text={error.requestId} what="request id" />],
          ]}
        />
      </div>
      <div className={styles.actions}>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </div>
  );
}

interface NotAllowedProps {
  readonly what: string;
  readonly error: ApiError;
  /** What is missing, and who can give it. */
  readonly missing?: ReactNode;
  /** It is all of the page. */
  readonly isPage?: boolean;
}

/** Whoever asked may not see it; whether it is there at all nobody says. */
export function NotAllowed({ what, error, missing, isPage = false }: NotAllowedProps) {
  const isHidden = error.status === 404;
  return (
    <div className={styles.says}>
      <Icon name="gate-shut" is="bad" />
      <Heading isPage={isPage}>{isHidden ? `${what}: not there, or not for you` : `${what}: not allowed`}</Heading>
      <p className="soft">
        {isHidden
          ? 'What you may not see looks like what does not exist. An owner of the organization can tell, and can give you access.'
          : 'Your token does not let you read this.'}
      </p>
      <div className={styles.facts}>
        <Facts
          of={[
            ['Missing', missing],
            ['Answer', <code key="answer">{`${error.status} ${error.message}`}</code>],
            ['Request', error.requestId && <Copyable text={error.requestId} what="request id" />],
          ]}
        />
      </div>
    </div>
  );
}
