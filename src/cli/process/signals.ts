const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Resolves at the next SIGTERM or SIGINT. A signal that arrives while no call waits ends the process, as by default.
 */
export function terminationSignal(): Promise<NodeJS.Signals> {
  return awaitSignal().signal;
}

/** Waits for the given time or a signal, whichever comes first. */
export async function sleepUntilSignal(milliseconds: number): Promise<void> {
  const { signal, forget } = awaitSignal();
  const time = Promise.withResolvers<void>();
  const timer = setTimeout(time.resolve, milliseconds);
  await Promise.race([signal, time.promise]);
  clearTimeout(timer);
  forget();
}

function awaitSignal(): { readonly signal: Promise<NodeJS.Signals>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const forget = () => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  function onSignal(signal: NodeJS.Signals): void {
    forget();
    resolve(signal);
  }
  for (const name of SIGNALS) process.on(name, onSignal);
  return { signal: promise, forget };
}

/**
 * Handles SIGHUP, so that it no longer ends the process.
 * @returns registers the handler; a signal received before, during the start, is handled then
 */
export function hangUpHandler(): (reload: () => void) => void {
  let hasCome = false;
  let act = (): void => {
    hasCome = true;
  };
  process.on('SIGHUP', () => act());
  return (reload) => {
    act = reload;
    if (hasCome) reload();
  };
}
