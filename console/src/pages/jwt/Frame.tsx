import type { ReactNode } from 'react';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { RolesOf } from '../../shell/mounts/RolesOf.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './jwt.module.css';

const PARTS = [
  ['Roles', '/~access/jwt'],
  ['Configuration', '/~access/jwt/configuration'],
  ['Try a token', '/~access/jwt/inspect'],
] as const;

interface FrameProps {
  readonly title: (typeof PARTS)[number][0];
  readonly mount: string;
  readonly lede: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Parts of a mount for tokens of another issuer, each a page of its own. */
export function Frame({ title, mount, lede, actions, children }: FrameProps) {
  usePlace([{ label: 'Access' }, { label: `auth/${mount}` }, { label: title }]);
  return (
    <>
      <PageHead title={title} beside={<RolesOf mount={mount} />} lede={lede} actions={actions} />
      <Tabs
        label={`auth/${mount}`}
        tabs={PARTS.map(([label, to]) => ({ label, to, search: { mount }, isCurrent: label === title }))}
      />
      <div className={styles.under}>{children}</div>
    </>
  );
}
