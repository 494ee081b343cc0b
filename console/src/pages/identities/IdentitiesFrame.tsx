import type { ReactNode } from 'react';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './identities.module.css';

const TABS = [
  { label: 'Entities', to: '/~access/identities' },
  { label: 'Groups', to: '/~access/identities/groups' },
] as const;

interface FrameProps {
  readonly title: (typeof TABS)[number]['label'];
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** Who is behind the tokens. */
export function IdentitiesFrame({ title, beside, children }: FrameProps) {
  usePlace([{ label: 'Access' }, { label: 'Identities', to: '/~access/identities' }, { label: title }]);
  return (
    <>
      <PageHead title={title} beside={beside} />
      <Tabs label="Identities" tabs={TABS} />
      <div className={styles.under}>{children}</div>
    </>
  );
}
