import type { ReactNode } from 'react';
import { Tabs } from '../../components/tabs/Tabs.tsx';
import { RolesOf } from '../../shell/mounts/RolesOf.tsx';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './jwt.module.css';
import * as texts from './texts.ts';

const PARTS = [
  [texts.roles, '/~access/jwt'],
  [texts.configuration, '/~access/jwt/configuration'],
  [texts.tokenInspector, '/~access/jwt/inspect'],
] as const;

interface FrameProps {
  readonly title: (typeof PARTS)[number][0];
  readonly mount: string;
  readonly lede: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of the pages of a JWT mount. */
export function Frame({ title, mount, lede, actions, children }: FrameProps) {
  usePlace([{ label: texts.access }, { label: `auth/${mount}` }, { label: title }]);
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
