import { exact, short } from '../../format/time.ts';

/** How long something still lives; undefined: it does not end. */
export function Left({ seconds }: { readonly seconds: number | undefined }) {
  if (seconds === undefined) return <span className="soft">never</span>;
  const end = new Date(Date.now() + seconds * 1000).toISOString();
  return (
    <time dateTime={end} title={exact(end)}>
      {short(seconds)}
    </time>
  );
}
