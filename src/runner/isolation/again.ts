import { bubblewrap } from './bubblewrap.ts';
import type { Isolation, IsolationSettings } from './isolation.ts';
import { notIsolated } from './none.ts';

/** Makes an isolation that was tried before. */
export const isolationOf = (settings: IsolationSettings): Isolation =>
  settings.name === 'none' ? notIsolated(settings) : bubblewrap(settings);
