import { Link, type LinkProps } from '@tanstack/react-router';
import styles from './tabs.module.css';

export interface Tab {
  readonly label: string;
  readonly count?: string | undefined;
  readonly to: NonNullable<LinkProps['to']>;
  readonly params?: Readonly<Record<string, string>>;
  /** For parts that the query of the address names. */
  readonly search?: Readonly<Record<string, string>>;
  /** It is in view, though the address does not name it. */
  readonly isCurrent?: boolean;
  /** It has parts of its own below its address, and is the current one there too. */
  readonly hasParts?: boolean;
}

/** Parts of a thing, each a page with an address of its own. */
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
