import type { access } from '../../api/client.ts';

type Answer = Awaited<ReturnType<ReturnType<typeof access.query<'GET /sys/figures'>>['queryFn']>>;
/** A stretch of time in figures. */
export type Point = Answer['data']['points'][number];

/** How far back, in points of so many minutes. */
export const SPANS = [
  { name: '6h', label: '6 hours', each: '5 min', step: 5, points: 72 },
  { name: '1h', label: '1 hour', each: '1 min', step: 1, points: 60 },
] as const;

/** What it was when somebody last looked. */
export const latest = (
  points: readonly Point[],
  name: 'connections' | 'database_bytes' | 'database_ms',
): number | undefined => points.findLast((point) => point[name] !== null)?.[name] ?? undefined;

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** `09:35` */
export const labelOf = ({ at }: Pick<Point, 'at'>): string => CLOCK.format(new Date(at));
