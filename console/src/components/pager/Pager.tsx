import { count } from '../../format/number.ts';
import { Button } from '../button/Button.tsx';
import styles from './pager.module.css';

interface PagerProps {
  /** From 1 on. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

/** Where somebody is in a list that comes in pages. Nothing where there is one page. */
export function Pager({ page, size, total, onPage }: PagerProps) {
  const last = Math.ceil(total / size);
  if (last <= 1) return null;
  const first = (page - 1) * size + 1;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <Button look="small" off={page === 1 && 'This is the first page'} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <Button look="small" off={page >= last && 'This is the last page'} onClick={() => onPage(page + 1)}>
        Older
      </Button>
      <span className="soft">
        {count(first)} to {count(Math.min(page * size, total))} of {count(total)}
      </span>
    </nav>
  );
}
