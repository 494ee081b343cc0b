import { count } from '../../format/number.ts';
import * as texts from './texts.ts';

/** Shown if the list has more entries than the page shows. */
export function More({ shown, total }: { readonly shown: number; readonly total: number | undefined }) {
  if (total === undefined || total <= shown) return null;
  return <p className="soft">{texts.theFirstOf(count(shown), count(total))}</p>;
}
