import { exact, short } from '../../format/time.ts';
import * as texts from './texts.ts';

/** Shows the remaining lifetime; "never" if it is undefined. */
export function Left({ seconds }: { readonly seconds: number | undefined }) {
  if (seconds === undefined) return <span className="soft">{texts.never}</span>;
  const end = new Date(Date.now() + seconds * 1000).toISOString();
  return (
    <time dateTime={end} title={exact(end)}>
      {short(seconds)}
    </time>
  );
}
