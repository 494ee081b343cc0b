import type { Operation } from '../../../../src/lib/plan/plan.ts';
import type { IconName } from '../icon/icons.tsx';
import * as texts from './texts.ts';

interface Sign {
  readonly icon: IconName;
  readonly is: 'good' | 'attention' | 'bad' | 'idle';
  /** Verb of the operation. */
  readonly word: string;
  /** Label of the count: `3 to add`. */
  readonly todo: string;
}

export const OPERATIONS: Readonly<Record<Operation, Sign>> = {
  add: { icon: 'plus', is: 'good', word: texts.add, todo: texts.toAdd },
  change: { icon: 'change', is: 'attention', word: texts.change, todo: texts.toChange },
  replace: { icon: 'updown', is: 'bad', word: texts.replace, todo: texts.toReplace },
  destroy: { icon: 'minus', is: 'bad', word: texts.destroy, todo: texts.toDestroy },
  import: { icon: 'drop', is: 'good', word: texts.import, todo: texts.toImport },
  move: { icon: 'runs', is: 'idle', word: texts.move, todo: texts.toMove },
  forget: { icon: 'x', is: 'attention', word: texts.forget, todo: texts.toForget },
  read: { icon: 'search', is: 'idle', word: texts.read, todo: texts.toRead },
  none: { icon: 'same', is: 'idle', word: texts.keep, todo: texts.unchanged },
};

export const isOperation = (text: unknown): text is Operation =>
  typeof text === 'string' && Object.hasOwn(OPERATIONS, text);
