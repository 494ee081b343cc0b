import type { ReactNode } from 'react';
import type { ApiError } from '../../api/error.ts';
import { Button } from '../button/Button.tsx';
import { Copyable } from '../copy/Copyable.tsx';
import { Facts } from '../facts/Facts.tsx';
import { Icon } from '../icon/Icon.tsx';
import styles from './page-states.module.css';
import * as texts from './texts.ts';

interface EmptyProps {
  readonly title: string;
  /** One sentence about the content that the page will show. */
  readonly children: ReactNode;
  /** First action to offer. */
  readonly action?: ReactNode;
  /** `lockkeeper` command with the same effect as the first action. */
  readonly command?: string;
  /** Whether this is the whole content of the page. */
  readonly isPage?: boolean;
}

/** Empty state: there is nothing to show, and nothing has failed. */
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

/** Heading of a state: level 1 if it fills the page, else level 2. */
function Heading({ isPage = false, children }: { readonly isPage?: boolean; readonly children: ReactNode }) {
  return isPage ? <h1 className={styles.heading}>{children}</h1> : <h2>{children}</h2>;
}

interface FaultProps {
  /** Subject that could not be loaded: `Workspaces`. */
  readonly what: string;
  readonly error: ApiError;
  readonly onRetry: () => void;
  /** Whether this is the whole content of the page. */
  readonly isPage?: boolean;
}

/** The request has failed, or the server did not respond. */
export function Fault({ what, error, onRetry, isPage = false }: FaultProps) {
  return (
    <div className={styles.says} role="alert">
      <Icon name="warn" is="bad" />
      <Heading isPage={isPage}>{texts.couldNotBeLoaded(what)}</Heading>
      <div className={styles.facts}>
        <Facts
          of={[
            [
              texts.response,
              <code key="answer">{error.status === 0 ? error.message : `${error.status} ${error.message}`}</code>,
            ],
            [texts.requestId, error.requestId && <Copyable text={error.requestId} what={texts.requestId2} />],
          ]}
        />
      </div>
      <div className={styles.actions}>
        <Button onClick={onRetry}>{texts.tryAgain}</Button>
      </div>
    </div>
  );
}

interface NotAllowedProps {
  readonly what: string;
  readonly error: ApiError;
  /** Missing permission, and who can grant it. */
  readonly missing?: ReactNode;
  /** Whether this is the whole content of the page. */
  readonly isPage?: boolean;
}

/** The server has refused the request: permission denied, or a 404 that does not reveal whether the resource exists. */
export function NotAllowed({ what, error, missing, isPage = false }: NotAllowedProps) {
  const isHidden = error.status === 404;
  return (
    <div className={styles.says}>
      <Icon name="gate-shut" is="bad" />
      <Heading isPage={isPage}>{isHidden ? texts.notFoundOrNoAccess(what) : texts.permissionDenied(what)}</Heading>
      <p className="soft">{isHidden ? texts.hiddenHint : texts.yourTokenHasNo}</p>
      <div className={styles.facts}>
        <Facts
          of={[
            [texts.missingPermission, missing],
            [texts.response, <code key="answer">{`${error.status} ${error.message}`}</code>],
            [texts.requestId, error.requestId && <Copyable text={error.requestId} what={texts.requestId2} />],
          ]}
        />
      </div>
    </div>
  );
}
