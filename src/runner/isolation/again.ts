import { bubblewrap } from './bubblewrap.ts';
import type { Isolation, IsolationSettings } from './isolation.ts';
import { notIsolated } from './none.ts';

/** Creates an isolation from settings that were probed before. */
export const isolationOf = (settings: IsolationSettings): Isolation =>
  settings.name === 'none' ? notIsolated(settings) : bubblewrap(settings);
