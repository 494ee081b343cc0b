/** Resolves at the first SIGTERM or SIGINT. A second one ends the process at once, as it would any other. */
export function terminationSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  return promise;
}
