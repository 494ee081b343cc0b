import type { ReactNode } from 'react';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './identities.module.css';
import * as texts from './texts.ts';

const TABS = [
  { label: texts.entities, to: '/~access/identities' },
  { label: texts.groups, to: '/~access/identities/groups' },
] as const;

interface FrameProps {
  readonly title: (typeof TABS)[number]['label'];
  /** One sentence that describes the page. */
  readonly lede: string;
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of the pages of entities and groups. */
export function IdentitiesFrame({ title, lede, beside, children }: FrameProps) {
  usePlace([{ label: texts.access }, { label: texts.identities, to: '/~access/identities' }, { label: title }]);
  return (
    <>
      <PageHead title={title} beside={beside} lede={lede} />
      <Tabs label={texts.identities} tabs={TABS} />
      <div className={styles.under}>{children}</div>
    </>
  );
}
