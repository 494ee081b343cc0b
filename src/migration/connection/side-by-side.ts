/** @limit requests at the same time during a migration, requests -> further ones wait */
const AT_A_TIME = 6;

/** Maps a list with several calls at the same time. The first error ends the work. Keeps the order. */
export async function sideBySide<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let at = 0;
  let hasFailed = false;
  const lane = async () => {
    while (at < items.length && !hasFailed) {
      const index = at++;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(AT_A_TIME, items.length) }, lane));
  const failed = lanes.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return results;
}
