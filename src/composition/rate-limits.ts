import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import type { BackgroundWork } from '../lib/background/background-work.ts';
import { PeriodicTask } from '../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../lib/background/task-definition.ts';
import { type FailedLogins, type Metrics, RateLimits } from '../server/index.ts';
import type { Databases } from './databases.ts';

/** Signal between processes: `failed-logins/<sender>/<count>/<address>`. */
const TOPIC = 'failed-logins/';

const SHARING: TaskDefinition = {
  name: 'failed-logins',
  description: 'Shares the counts of refused logins with the other processes.',
  runsOn: 'every process',
  period: 1_000,
};

/** Undefined without limits. */
export function composeRateLimits({ rateLimits }: Config, metrics: Metrics): RateLimits | undefined {
  return rateLimits && Object.keys(rateLimits).length > 0 ? new RateLimits(rateLimits, metrics) : undefined;
}

/** Shares counts of refused logins between all processes on one PostgreSQL. SQLite has one process. */
export function sharedFailedLogins(
  rates: RateLimits | undefined,
  { access: database, signals }: Databases,
  logger: Logger,
): BackgroundWork[] {
  const failed = rates?.failedLogins;
  if (failed === undefined || database.dialect === 'sqlite') return [];
  const own = randomBytes(6).toString('hex');
  const tell = async () => {
    const untold = failed.untold();
    if (untold.length === 0) return;
    await database.transaction(async (tx) => {
      for (const [network, count] of untold) signals.send(tx, `${TOPIC}${own}/${count}/${network}`);
    });
  };
  const telling = PeriodicTask.every(SHARING, tell, (err, task) => logger.error({ err, task }, 'refused logins'));
  let end = () => {};
  return [
    {
      tasks: telling.tasks,
      start: () => {
        end = signals.listenToPrefix(TOPIC, (told) => hear(failed, own, told));
        failed.startSharing();
        telling.start();
      },
      stop: () => {
        end();
        return telling.stop();
      },
    },
  ];
}

function hear(failed: FailedLogins, own: string, told: string): void {
  const [from, count, ...network] = told.split('/');
  if (from !== own) failed.addFromOtherProcess(network.join('/'), Number(count) || 0);
}
