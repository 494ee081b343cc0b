import type { IconName } from '../icon/icons.tsx';
import type { Operation } from './plan.ts';

interface Sign {
  readonly icon: IconName;
  readonly is: 'good' | 'attention' | 'bad' | 'idle';
  /** What will be done, as a button would say it. */
  readonly word: string;
  /** `3 to add` */
  readonly todo: string;
}

export const OPERATIONS: Readonly<Record<Operation, Sign>> = {
  add: { icon: 'plus', is: 'good', word: 'add', todo: 'to add' },
  change: { icon: 'change', is: 'attention', word: 'change', todo: 'to change' },
  replace: { icon: 'updown', is: 'bad', word: 'replace', todo: 'to replace' },
  destroy: { icon: 'minus', is: 'bad', word: 'destroy', todo: 'to destroy' },
  import: { icon: 'drop', is: 'good', word: 'import', todo: 'to import' },
  move: { icon: 'runs', is: 'idle', word: 'move', todo: 'to move' },
  forget: { icon: 'x', is: 'attention', word: 'forget', todo: 'to forget' },
  read: { icon: 'search', is: 'idle', word: 'read', todo: 'to read' },
  none: { icon: 'same', is: 'idle', word: 'keep', todo: 'unchanged' },
};

export const isOperation = (text: unknown): text is Operation =>
  typeof text === 'string' && Object.hasOwn(OPERATIONS, text);
