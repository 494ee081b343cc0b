const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Resolves at the next SIGTERM or SIGINT. One that comes while nobody waits for it ends the process at once, as it would any
 * other.
 */
export function terminationSignal(): Promise<NodeJS.Signals> {
  return awaitSignal().signal;
}

/** Waits until the time has passed, or for a signal if that comes first. */
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
 * From now on SIGHUP ends nothing.
 * @returns takes what is to be done at each; one that has come before that, while the server started, is made up for
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
