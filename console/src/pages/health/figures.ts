import type { access } from '../../api/client.ts';
import * as texts from './texts.ts';

type Answer = Awaited<ReturnType<ReturnType<typeof access.query<'GET /sys/figures'>>['queryFn']>>;
/** Metrics of one interval. */
export type Point = Answer['data']['points'][number];

/** Periods: step in minutes and number of points. */
export const SPANS = [
  { name: '6h', label: texts.n6Hours, each: texts.n5Min, step: 5, points: 72 },
  { name: '1h', label: texts.n1Hour, each: texts.n1Min, step: 1, points: 60 },
] as const;

/** Most recent measured value. */
export const latest = (
  points: readonly Point[],
  name: 'connections' | 'database_bytes' | 'database_ms',
): number | undefined => points.findLast((point) => point[name] !== null)?.[name] ?? undefined;

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** Label of a point: `09:35`. */
export const labelOf = ({ at }: Pick<Point, 'at'>): string => CLOCK.format(new Date(at));
