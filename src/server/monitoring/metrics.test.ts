import perfHooks from 'node:perf_hooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ask2, dial, dialHttp2, listening, message } from '../../../test/support/listening.ts';
import { counter } from './metric-definition.ts';
import { Metrics } from './metrics.ts';

test('requests are counted by route, and what a client makes up is no label', async () => {
  const server = await listening();
  onTestFinished(() => server.server.close(0));
  const wire = await dial(server);
  for (const path of ['/echo/said/a', '/echo/said/b', '/echo/nothing/1', '/echo/nothing/2', '/one', '/two']) {
    await wire.ask(message('GET', path));
  }
  const session = await dialHttp2(server);
  for (const method of ['BREW', 'STEEP']) await ask2(session, { ':method': method, ':path': '/echo/said/a' });
  await expect.poll(() => server.requests()).toHaveLength(8);
  const page = (await wire.ask(message('GET', '/metrics'))).text;
  expect(page.split('\n').filter((line) => line.startsWith('http_requests_total'))).toEqual([
    'http_requests_total{service="echo",method="GET",route="/echo/said/:word",status="200"} 2',
    'http_requests_total{service="echo",method="GET",route="other",status="404"} 2',
    'http_requests_total{service="none",method="GET",route="other",status="404"} 2',
    'http_requests_total{service="echo",method="other",route="other",status="405"} 2',
  ]);
  expect(page).toContain('http_request_duration_seconds_count{service="echo",method="GET",route="/echo/said/:word"} 2');
  expect(page).toContain('http_requests_in_flight{listener="main"} 1');
  expect(page).toContain('connections{listener="main"} 2');
  expect(page).toContain('process_cpu_seconds_total');
  expect(page).not.toMatch(/BREW|nothing\/|\/one/);
  wire.socket.destroy();
  session.destroy();
  await expect.poll(() => server.metrics.page()).toContain('connections{listener="main"} 0');
});

test('a domain counts what it likes', async () => {
  const metrics = new Metrics();
  const logins = metrics.counter(counter('logins_total', 'Logins.', ['outcome']));
  const sweeps = metrics.counter(counter('sweeps_total', 'Sweeps.'));
  logins.inc({ outcome: 'accepted' });
  logins.inc({ outcome: 'accepted' });
  sweeps.inc();
  const page = await metrics.page();
  expect(page).toContain('logins_total{outcome="accepted"} 2');
  expect(page).toContain('sweeps_total 1');
});

test('servers of one process share its metrics, and leave no timer behind', async () => {
  const [first, second] = [new Metrics(), new Metrics()];
  const watch = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
  onTestFinished(() => watch.mockRestore());
  const third = new Metrics();
  expect(watch).not.toHaveBeenCalled();
  for (const metrics of [first, second, third])
    expect(await metrics.page()).toMatch(/^nodejs_eventloop_lag_max_seconds /m);
});
