import type { ReactNode } from 'react';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './tokens.module.css';

const TABS = [
  { label: 'Tokens', to: '/~access/tokens' },
  { label: 'Token roles', to: '/~access/token-roles' },
  { label: 'Leases', to: '/~access/leases' },
  { label: 'Wrapping', to: '/~access/wrapping' },
] as const;

interface FrameProps {
  readonly title: (typeof TABS)[number]['label'];
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Tokens and what goes with them: each part a page of its own. */
export function TokensFrame({ title, beside, actions, children }: FrameProps) {
  usePlace([
    { label: 'Access' },
    ...(title === 'Tokens' ? [] : [{ label: 'Tokens', to: '/~access/tokens' }]),
    { label: title },
  ]);
  return (
    <>
      <PageHead title={title} beside={beside} actions={actions} />
      <Tabs label="Tokens" tabs={TABS} />
      <div className={styles.under}>{children}</div>
    </>
  );
}
