import { Link, type LinkProps } from '@tanstack/react-router';
import styles from './tabs.module.css';

export interface Tab {
  readonly label: string;
  readonly count?: string | undefined;
  readonly to: NonNullable<LinkProps['to']>;
  readonly params?: Readonly<Record<string, string>>;
  /** Search parameters, for tabs that differ in them. */
  readonly search?: Readonly<Record<string, string>>;
  /** Whether the tab is current although its URL does not match. */
  readonly isCurrent?: boolean;
  /** Whether the tab is also current on pages below its URL. */
  readonly hasParts?: boolean;
}

/** Navigation between the parts of a page, each with its own URL. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          to={tab.to}
          params={tab.params as never}
          {...(tab.search && { search: tab.search as never })}
          activeOptions={{ exact: !tab.hasParts, includeSearch: tab.search !== undefined }}
          {...(tab.isCurrent && { 'aria-current': 'page' as const })}
        >
          {tab.label}
          {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
