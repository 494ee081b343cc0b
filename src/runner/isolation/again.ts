import { bubblewrap } from './bubblewrap.ts';
import type { Isolation, IsolationSettings } from './isolation.ts';
import { none } from './none.ts';

/** Makes the isolation that another process of this agent has found and tried. */
export const isolationOf = (settings: IsolationSettings): Isolation =>
  settings.name === 'bubblewrap' ? bubblewrap(settings.program) : none;
