import type { ComponentProps } from 'react';
import { State } from './State.tsx';

type Sign = Pick<ComponentProps<typeof State>, 'icon' | 'is' | 'turns'> & { readonly word: string };

const ERRORED: Sign = { icon: 'err', is: 'bad', word: 'Errored' };
const SIGNS: Readonly<Record<string, Sign>> = {
  scheduled: { icon: 'clock', is: 'idle', word: 'Scheduled' },
  running: { icon: 'run', is: 'run', turns: true, word: 'Running' },
};

/** State of auto-destroy in a workspace. */
export function AutoDestroyState({ status }: { readonly status: string }) {
  const { word, ...sign } = SIGNS[status] ?? ERRORED;
  return <State {...sign}>{word}</State>;
}
