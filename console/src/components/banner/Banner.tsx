import type { ReactNode } from 'react';
import { Icon } from '../icon/Icon.tsx';
import type { IconName } from '../icon/icons.tsx';
import styles from './banner.module.css';

interface BannerProps {
  readonly is: 'locked' | 'bad' | 'attention';
  readonly icon: IconName;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** A message about the whole page, with optional actions. */
export function Banner({ is, icon, children, actions }: BannerProps) {
  return (
    <div className={`${styles.banner} ${styles[is]}`}>
      <Icon name={icon} />
      <p>{children}</p>
      {actions}
    </div>
  );
}
