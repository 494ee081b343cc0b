import { count } from '../../format/number.ts';
import { Button } from '../button/Button.tsx';
import styles from './pager.module.css';
import * as texts from './texts.ts';

interface PagerProps {
  /** Page number, from 1. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** Whether the list has its newest entries first. Default: true. */
  readonly isByTime?: boolean;
  readonly onPage: (page: number) => void;
}

/** Navigation of a paged list. Hidden if there is only one page. */
export function Pager({ page, size, total, isByTime = true, onPage }: PagerProps) {
  const last = Math.ceil(total / size);
  if (last <= 1) return null;
  const first = (page - 1) * size + 1;
  return (
    <nav className={styles.pager} aria-label={texts.pages}>
      <Button look="small" off={page === 1 && texts.thisIsTheFirstPage} onClick={() => onPage(page - 1)}>
        {isByTime ? texts.newer : texts.previous}
      </Button>
      <Button look="small" off={page >= last && texts.thisIsTheLastPage} onClick={() => onPage(page + 1)}>
        {isByTime ? texts.older : texts.next}
      </Button>
      <span className="soft">{texts.range(count(first), count(Math.min(page * size, total)), count(total))}</span>
    </nav>
  );
}
