import { Lane, type Request, type Target } from './lane.ts';

/** Runs an action while requests go out at a steady rate on their own connection. */
export async function steadily<T>(
  target: Target,
  request: () => Request,
  aSecond: number,
  run: () => Promise<T>,
): Promise<T> {
  const lane = await Lane.open(target);
  let last: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    last = last.then(() => lane.send(request()));
  }, 1000 / aSecond);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    await last;
    lane.close();
  }
}
