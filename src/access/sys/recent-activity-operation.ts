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

/** What the server counts of itself, which others do. */
export interface RecentActivity {
  readonly node: string;
  /** Of the last hours, oldest first, each of so many minutes; `at` in milliseconds. */
  points(step: number): Promise<readonly { readonly at: number }[]>;
}

const STEPS = [1, 5, 15, 60];
const FIELDS = described({ step: integer(1) }, { step: `Minutes of a point: ${STEPS.join(', ')}.` });

const Half = component('HalfFigures', {
  requests: shownInteger(),
  errors: shownInteger('Answered with a 5xx.'),
  p95_ms: orNull(shownInteger('What 95 of 100 took at most, rounded up. Null: there were none.')),
});
const Point = component('FigurePoint', {
  at: shownTime('Where it begins.'),
  access: Half,
  workspaces: Half,
  logins: shownInteger('To methods, that were let in.'),
  refused_logins: shownInteger(),
  handshake_errors: shownInteger(),
  ocsp_requests: shownInteger('To responders.'),
  ocsp_failures: shownInteger('Those among them that brought no verified answer.'),
  crl_fetches: shownInteger('Of revocation lists.'),
  crl_fetch_failures: shownInteger(),
  connections: orNull(shownInteger('The most at one time. Null: nobody looked.')),
  database_bytes: orNull(shownInteger('Without states.')),
  database_ms: orNull({ type: 'number', description: 'What a question took, milliseconds.' }),
});
const Recent = component('RecentFigures', {
  node: shownText('Whose they are: the name of the machine, with all its processes.'),
  interval: seconds('Of a point.'),
  points: listOf(Point, 'Oldest first, the last one is not over yet. None from before the start.'),
});

/** The last hours of this node in figures. */
export function recentActivityOperation(recentActivity: RecentActivity): Operation {
  return {
    path: 'figures',
    verb: 'read',
    id: 'read-recent-figures',
    summary: 'Say what this node did in the last six hours',
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
