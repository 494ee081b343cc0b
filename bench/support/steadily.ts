import { Lane, type Request, type Target } from './lane.ts';

/** Runs something while requests go out at a steady rate beside it, on a connection of their own. */
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
