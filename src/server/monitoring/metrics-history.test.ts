import { describe, expect, it } from 'vitest';
import { activityPoints } from './activity-points.ts';
import { MetricsHistory, MOST_MINUTES } from './metrics-history.ts';

const MINUTE = 60_000;
const record = (more: object = {}) => ({
  ...{
    requestId: '',
    listener: '',
    service: 'access',
    method: 'GET',
    route: undefined,
    status: 200,
    durationMs: 4,
    isTimed: true,
  },
  ...{ remoteAddress: '', httpVersion: '2', bytes: 0, fields: {}, ...more },
});

function pastAt(start: number) {
  const clock = { now: start };
  return { clock, past: new MetricsHistory(() => clock.now) };
}

describe('the past of a server', () => {
  it('counts requests of both halves, what they took, logins and refusals', () => {
    const { past } = pastAt(10 * MINUTE);
    for (let index = 0; index < 95; index++) past.request(record());
    for (let index = 0; index < 5; index++) past.request(record({ durationMs: 90_000, status: 503 }));
    past.request(record({ service: 'health' }));
    past.request(record({ durationMs: 30_000, isTimed: false }));
    past.request(record({ service: 'workspaces', durationMs: 90_000 }));
    const login = { method: 'POST', route: '/v1/auth/:mount/login' };
    past.request(record({ ...login, fields: { login_accessor: 'x' } }));
    past.request(record({ ...login, status: 400 }));
    past.request(record({ ...login, status: 499 }));
    expect(activityPoints([past.minutes()], 1, 10 * MINUTE)).toMatchObject([
      {
        at: 10 * MINUTE,
        access: { requests: 104, errors: 5, p95_ms: 5 },
        workspaces: { requests: 1, errors: 0, p95_ms: 30_000 },
        logins: 1,
        refused_logins: 1,
      },
    ]);
  });

  it('keeps six hours, and shows minutes in which nothing happened', () => {
    const { past, clock } = pastAt(10 * MINUTE);
    past.request(record());
    clock.now += 3 * MINUTE;
    past.request(record());
    const points = activityPoints([past.minutes()], 1, clock.now);
    expect(points.map(({ access }) => access.requests)).toEqual([1, 0, 0, 1]);
    expect(points[1]).toMatchObject({ access: { p95_ms: null }, connections: null, database_bytes: null });
    for (let index = 0; index < 2 * MOST_MINUTES; index++) {
      clock.now += MINUTE;
      past.request(record());
    }
    expect(past.minutes()).toHaveLength(MOST_MINUTES);
    expect(activityPoints([past.minutes()], 60, clock.now).length).toBeLessThanOrEqual(7);
  });

  it('tells what totals have grown by, also when a mount goes', () => {
    const { past } = pastAt(0);
    for (const total of [5, 7, 1, 2])
      past.sample({ totals: { crl_fetches: total }, shared: { database_bytes: total } });
    expect(activityPoints([past.minutes()], 1, 0)).toMatchObject([{ crl_fetches: 8, database_bytes: 2 }]);
  });

  it('is of all processes: connections at the same time add up, what they share does not', () => {
    const [one, other] = [pastAt(0), pastAt(0)];
    for (const { past, clock } of [one, other]) {
      past.request(record());
      past.connections(1);
      past.connections(1);
      past.sample({ totals: {}, shared: { database_bytes: 100 } });
      clock.now += MINUTE;
      past.connections(-1);
    }
    const points = (step: number) => activityPoints([one.past.minutes(), other.past.minutes()], step, MINUTE);
    expect(points(1)).toMatchObject([
      { connections: 4, database_bytes: 100, access: { requests: 2 } },
      { connections: 4 },
    ]);
    expect(points(5)).toMatchObject([{ connections: 4, access: { requests: 2 } }]);
  });
});
