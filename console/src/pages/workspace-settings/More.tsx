import { count } from '../../format/number.ts';

/** Where a list has more than is shown. */
export function More({ shown, total }: { readonly shown: number; readonly total: number | undefined }) {
  if (total === undefined || total <= shown) return null;
  return (
    <p className="soft">
      The first {count(shown)} of {count(total)}.
    </p>
  );
}
