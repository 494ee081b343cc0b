import { count } from '../../format/number.ts';
import { Button } from '../button/Button.tsx';
import styles from './pager.module.css';
import * as texts from './texts.ts';

interface PagerProps {
  /** Page number, from 1. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  /** Whether the list is in another order than from new to old. */
  readonly isByName?: boolean;
}

/** Navigation of a paged list. Hidden if there is only one page. */
export function Pager({ page, size, total, onPage, isByName = false }: PagerProps) {
  const last = Math.ceil(total / size);
  if (last <= 1) return null;
  const first = (page - 1) * size + 1;
  return (
    <nav className={styles.pager} aria-label={texts.pages}>
      <Button look="small" off={page === 1 && texts.thisIsTheFirstPage} onClick={() => onPage(page - 1)}>
        {isByName ? texts.previous : texts.newer}
      </Button>
      <Button look="small" off={page >= last && texts.thisIsTheLastPage} onClick={() => onPage(page + 1)}>
        {isByName ? texts.next : texts.older}
      </Button>
      <span className="soft">{texts.range(count(first), count(Math.min(page * size, total)), count(total))}</span>
    </nav>
  );
}
