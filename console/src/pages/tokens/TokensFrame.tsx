import type { ReactNode } from 'react';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';
import styles from './tokens.module.css';

const TABS = [
  { label: texts.tokens, to: '/~access/tokens' },
  { label: texts.tokenRoles, to: '/~access/token-roles' },
  { label: texts.leases, to: '/~access/leases' },
  { label: texts.wrapping, to: '/~access/wrapping' },
] as const;

interface FrameProps {
  readonly title: (typeof TABS)[number]['label'];
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of the token pages: tokens, token roles, leases and wrapping. */
export function TokensFrame({ title, beside, actions, children }: FrameProps) {
  usePlace([
    { label: texts.access },
    ...(title === 'Tokens' ? [] : [{ label: texts.tokens, to: '/~access/tokens' }]),
    { label: title },
  ]);
  return (
    <>
      <PageHead title={title} beside={beside} actions={actions} />
      <Tabs label={texts.tokens} tabs={TABS} />
      <div className={styles.under}>{children}</div>
    </>
  );
}
