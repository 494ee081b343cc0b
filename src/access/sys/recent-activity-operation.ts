import { AppError } from '../../lib/errors.ts';
import { answersData } from '../operation/answer.ts';
import { described, integer, parseFields } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import {
  component,
  listOf,
  orNull,
  seconds,
  integer as shownInteger,
  text as shownText,
  time as shownTime,
} from '../operation/schema.ts';

/** Recent metrics of the server, which another module implements. */
export interface RecentActivity {
  readonly node: string;
  /** Returns points of the last hours, oldest first, each for `step` minutes. `at` is in milliseconds since 1970. */
  points(step: number): Promise<readonly { readonly at: number }[]>;
}

const STEPS = [1, 5, 15, 60];
const FIELDS = described({ step: integer(1) }, { step: `Minutes for each point: ${STEPS.join(', ')}.` });

const Half = component('HalfFigures', {
  requests: shownInteger(),
  errors: shownInteger('Requests answered with 5xx.'),
  p95_ms: orNull(shownInteger('95th percentile of the duration, rounded up. Null: no requests.')),
});
const Point = component('FigurePoint', {
  at: shownTime('Start of the point.'),
  access: Half,
  workspaces: Half,
  logins: shownInteger('Successful logins at auth methods.'),
  refused_logins: shownInteger(),
  handshake_errors: shownInteger(),
  ocsp_requests: shownInteger('Requests to OCSP responders.'),
  ocsp_failures: shownInteger('OCSP requests without a verified answer.'),
  crl_fetches: shownInteger('Fetches of CRLs.'),
  crl_fetch_failures: shownInteger(),
  connections: orNull(shownInteger('Highest number of connections. Null: not measured.')),
  database_bytes: orNull(shownInteger('Size of the database without states.')),
  database_ms: orNull({ type: 'number', description: 'Duration of a query in milliseconds.' }),
});
const Recent = component('RecentFigures', {
  node: shownText('Host name of the node, with all its processes.'),
  interval: seconds('Length of a point.'),
  points: listOf(Point, 'Oldest first; the last one is not complete. There are no points from before the start.'),
});

/** Operation that returns recent metrics of this node. */
export function recentActivityOperation(recentActivity: RecentActivity): Operation {
  return {
    path: 'figures',
    verb: 'read',
    id: 'read-recent-figures',
    summary: 'Return metrics of this node for the last six hours',
    answers: answersData(Recent),
    fields: FIELDS,
    async handle({ data }) {
      const { step = 1 } = parseFields(FIELDS, data).values;
      if (!STEPS.includes(step)) throw new AppError('bad-request', `step: expected one of ${STEPS.join(', ')}`);
      const points = (await recentActivity.points(step)).map((point) => ({
        ...point,
        at: new Date(point.at).toISOString(),
      }));
      return { data: { node: recentActivity.node, interval: step * 60, points } };
    },
  };
}
